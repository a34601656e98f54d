/**
 * `npm run mutants [-- operations …]`: what the suite notices of servers that do one thing wrong. Each check is recorded once
 * against Parley, together with the witnesses, and repeated with one value of all answers of an operation, or of all events
 * of a type, changed. Prints how many of these mutants some check noticed, by operator and by operation; `dist/mutants.txt` lists
 * the others. Takes a quarter of an hour for all operations.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { allChecks } from '../conformance/checks/all.ts'
import type { Check } from '../conformance/kernel/check.ts'
import { type Mutant, mutantsOf, mutationBy } from '../conformance/mutants/mutants-testing.ts'
import { type RecordedRun, recordedRun, replayed } from '../conformance/mutants/replay-testing.ts'
import { ServerPool } from '../conformance/testing.ts'
import { readContract } from '../conformance/wire/contract.ts'

/** What makes people and channels for every check; its mutants are tried where it is the subject. */
const SCENERY = new Set(['create-user', 'fetch-api-key', 'get-own-user', 'get-subscriptions', 'update-settings'])
/** Mutants of one subject that are tried together where others checks have missed them. */
const TOGETHER = 64

const wanted = new Set(process.argv.slice(2))
const checks = allChecks(readContract())
const witnesses = checks.filter(({ isWitness }) => isWitness)
const servers = new ServerPool()
const made = new Map<string, Mutant>()
const killed = new Map<string, string>()

const idOf = ({ subject, path, operator }: Mutant): string => [subject, path, operator].filter(Boolean).join(' ')

/** Mutants of what a check is about. */
function triedBy(check: Check, run: RecordedRun): Mutant[] {
  const subjects = new Set(check.operations.filter((id) => !SCENERY.has(id) || check.id.includes(id)))
  return mutantsOf(run.trace.recorded).filter(({ subject }) => {
    const isAsked = wanted.size === 0 || wanted.has(subject)
    return isAsked && (subjects.has(subject) || subject.startsWith('event '))
  })
}

async function tryAll(check: Check, run: RecordedRun): Promise<void> {
  const mutants = triedBy(check, run)
  const fresh = mutants.filter((one) => !made.has(idOf(one)))
  const missed = mutants.filter((one) => made.has(idOf(one)) && !killed.has(idOf(one)))
  for (const one of mutants) made.set(idOf(one), one)
  for (const one of fresh) await tryTogether(run, [one])
  for (const of of Map.groupBy(missed, ({ subject }) => subject).values()) {
    for (let from = 0; from < of.length; from += TOGETHER) await tryTogether(run, of.slice(from, from + TOGETHER))
  }
}

/** Halves what is noticed until it is one. */
async function tryTogether(run: RecordedRun, mutants: readonly Mutant[]): Promise<void> {
  const { report, player } = await replayed(run, mutationBy(mutants))
  const [found] = report?.results.flatMap(({ findings }) => findings) ?? [{ expected: 'the run ended' }]
  if (found === undefined || player.diverged !== undefined) return
  const [one] = mutants
  if (one !== undefined && mutants.length === 1) {
    killed.set(idOf(one), found.expected)
    return
  }
  const middle = Math.ceil(mutants.length / 2)
  await tryTogether(run, mutants.slice(0, middle))
  await tryTogether(run, mutants.slice(middle))
}

function table(nameOf: (mutant: Mutant) => string): string {
  const groups = [...Map.groupBy(made.values(), nameOf)].map(([name, all]) => {
    const noticed = all.filter((one) => killed.has(idOf(one))).length
    return { name, made: all.length, noticed, share: noticed / all.length }
  })
  const lines = groups.toSorted((one, other) => one.share - other.share)
  return lines
    .map(({ name, made: of, noticed, share }) => `${Math.floor(share * 100)} %  ${name}: ${noticed} of ${of}`)
    .join('\n')
}

test('mutants', async () => {
  for (const check of checks.filter(({ asksEach, isWitness }) => !asksEach && !isWitness)) {
    if (wanted.size > 0 && !check.operations.some((id) => wanted.has(id))) continue
    const settings: Record<string, string> = check.movesClock ? { PARLEY_TESTING: 'on' } : {}
    await servers.use(settings, async ({ url, logins, onKept }) => {
      const all = { url, logins, checks: [check, ...witnesses], seed: 7, shrinkMs: 0, onKept }
      const run = await recordedRun(check.id, all)
      const isSound = run.results.every(({ outcome }) => outcome === 'passed' || outcome === 'left out')
      if (isSound) await tryAll(check, run)
      else console.log(`not tried: ${check.id} does not pass`)
    })
  }
  mkdirSync('dist', { recursive: true })
  const missed = [...made.keys()].filter((id) => !killed.has(id)).toSorted()
  writeFileSync('dist/mutants.txt', `${missed.join('\n')}\n`)
  console.log(`${table(({ subject }) => subject)}\n\n${table(({ operator }) => operator)}`)
  console.log(`\nnoticed ${killed.size} of ${made.size}`)
})
