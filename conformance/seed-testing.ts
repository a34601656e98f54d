import fc from 'fast-check'

/**
 * Seed of everything random in tests: fixed in `npm test`, drawn and printed by the other commands. PARLEY_SEED repeats
 * a run.
 */
export const seed = Number(process.env.PARLEY_SEED ?? 482)
fc.configureGlobal({ seed })

export { fc }
