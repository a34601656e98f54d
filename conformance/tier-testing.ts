/**
 * Which tests run. `npm test` proves each rule once; `npm run test:full`, which sets PARLEY_TEST_FULL, adds the other
 * database, all seeded faults, and more random runs. The choice depends on names alone, so that a commit has the same
 * verdict on any day.
 */
import { createHash } from 'node:crypto'

export const isFull = process.env.PARLEY_TEST_FULL === '1'

/** The `skip` option of a test that only test:full runs. */
export const fullOnly = isFull ? false : 'npm run test:full runs it'

/** One of two numbers. */
export function fullOr(full: number, usual: number): number {
  return isFull ? full : usual
}

/** PARLEY_CHECKS: a regular expression for the beginning of ids of checks, for people who write one. */
const { PARLEY_CHECKS: chosen } = process.env

/** Whether a test about the check `id` runs: as chosen, or all in test:full, or a sample of about one in `oneIn`. */
export function isTried(id: string, oneIn: number, sampledBy = id): boolean {
  return chosen === undefined ? isFull || isSampled(sampledBy, oneIn) : new RegExp(`^(${chosen})`).test(id)
}

/** @throws {Error} if PARLEY_CHECKS chooses none of `ids` */
export function mustChoose(ids: readonly string[]): void {
  if (chosen === undefined || ids.some((id) => isTried(id, 1))) return
  throw new Error(`no check has an id that begins with '${chosen}': is its file in conformance/checks/nouns.ts?`)
}

/** Whether a name belongs to a fixed sample of about one in `oneIn`. */
export function isSampled(name: string, oneIn: number): boolean {
  return createHash('sha256').update(name).digest().readUInt32BE() % oneIn === 0
}
