import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allFaults } from './faults/all-testing.ts'
import { type RecordedRun, recordedRun, replayed } from './mutants/replay-testing.ts'
import { type ConformanceReport, runConformance } from './run.ts'
import { type PooledServer, ServerPool } from './server-pool-testing.ts'
import { faultyAnswers, faultySender, PUSH_RELAY_OF_RUN, type SeededFault } from './testing.ts'
import { isTried } from './tier-testing.ts'

/** `npm test` tries the faults of one run in this many, because they share recorded answers. */
const oneRunIn = 4

const servers = new ServerPool()

/**
 * How long to wait for something that a faulty server may never send. A right server on a busy machine gets the usual
 * time.
 */
const patienceMs = 3000

/** The settings of runs, as text. */
function keyOf({ settings = {} }: SeededFault): string {
  return JSON.stringify(settings)
}

/** By what runs have in common besides the fault. */
const recordings = new Map<string, Promise<RecordedRun>>()

function runOf(seeded: SeededFault): string {
  const { only, alongside = [], needsUsers = false } = seeded
  return JSON.stringify([only, alongside, needsUsers, keyOf(seeded)])
}

function recordingFor(seeded: SeededFault): Promise<RecordedRun> {
  const known = recordings.get(runOf(seeded)) ?? recorded(seeded)
  recordings.set(runOf(seeded), known)
  return known
}

function recorded(seeded: SeededFault): Promise<RecordedRun> {
  return servers.use(seeded.settings ?? {}, async (server) => {
    const options = optionsFor(seeded, server)
    const run = await recordedRun(runOf(seeded), options)
    const red = run.results
      .filter(({ outcome }) => !['passed', 'left out'].includes(outcome))
      .map(({ check, findings }) => [check.id, findings])
    assert.deepEqual(red, [], 'a right server, recorded')
    return run
  })
}

function optionsFor({ only, alongside = [], needsUsers }: SeededFault, server: PooledServer) {
  const { url, logins, pushRelay, onKept } = server
  return {
    url,
    // Only the owner may create users. Without these a run takes a tenth of the time.
    logins: needsUsers ? logins : logins.filter(({ email }) => !email.startsWith('owner@')),
    only: [only, ...alongside],
    seed: 7,
    // The first counterexample shows the fault as well as the smallest one.
    shrinkMs: 0,
    // A new server now and then costs less than cleaning up after each run.
    onKept,
    ...(pushRelay && { pushRelay }),
  }
}

/** The report of a run against a server with this fault. */
async function liveReport(seeded: SeededFault): Promise<ConformanceReport> {
  const { fault, before } = seeded
  return servers.use(seeded.settings ?? {}, (server) => {
    const options = optionsFor(seeded, server)
    server.giveUp() // it may have made permanent changes by mistake
    return runConformance({ ...options, patienceMs, sender: faultySender(server.url, fault, before) })
  })
}

/** Like `liveReport`, for a fault in the recorded answers of a right server. */
async function replayedReport(seeded: SeededFault): Promise<ConformanceReport | undefined> {
  // Only a live server can misread its requests, and no recording contains a push service.
  if (seeded.before !== undefined || seeded.settings === PUSH_RELAY_OF_RUN) return undefined
  const { report } = await replayed(await recordingFor(seeded), faultyAnswers(seeded.fault))
  return report
}

/** Describes what the run missed of a fault; undefined if it missed nothing. */
function missedBy({ passed, results: all }: ConformanceReport, seeded: SeededFault): string | undefined {
  const { only, alongside = [], violates } = seeded
  const results = all.filter(({ check }) => alongside.length === 0 || check.id.startsWith(only))
  const findings = results.flatMap((result) => result.findings)
  for (const { requirement, says, request, answer, curl } of findings) {
    if (!(says && request && answer && curl)) return `the finding of ${requirement} does not tell all`
  }
  const found = new Set(findings.map(({ requirement }) => requirement))
  const missed = violates.filter((id) => !found.has(id))
  return !passed && missed.length === 0 ? undefined : `${missed} (found ${[...found]}${passed ? '; it passed' : ''})`
}

const tried = allFaults.filter((seeded) => isTried(seeded.only, oneRunIn, runOf(seeded)))
console.log(`${tried.length} of ${allFaults.length} faults`)

// More than there are processors, because some wait for something that never comes.
describe('a seeded fault fails the check of its requirement', { concurrency: 8 }, () => {
  for (const seeded of tried) {
    test(`${seeded.name}: ${seeded.violates.join(', ')}`, async () => {
      const replayed = await replayedReport(seeded)
      // Only a live server can answer requests that were not recorded, because a right server never gets them.
      if (replayed && missedBy(replayed, seeded) === undefined) return
      assert.equal(missedBy(await liveReport(seeded), seeded), undefined)
    })
  }
})

// With the usual settings every check passes in server/conformance.test.ts, and where answers are recorded.
for (const key of new Set(tried.flatMap((one) => (one.settings === undefined ? [] : keyOf(one))))) {
  test(`without a fault the same checks pass, with ${key}`, () =>
    servers.use(JSON.parse(key), async ({ url, logins, pushRelay }) => {
      const only = [
        ...new Set(
          allFaults.filter((one) => keyOf(one) === key).flatMap(({ only, alongside = [] }) => [only, ...alongside]),
        ),
      ]
      const sender = faultySender(url, () => {})
      const options = { url, sender, logins, only, seed: 7, ...(pushRelay && { pushRelay }) }
      const { results } = await runConformance(options)
      const red = results.filter(({ outcome }) => outcome !== 'passed')
      assert.deepEqual(
        red.map(({ check, findings, reasons }) => [check.id, findings, reasons]),
        [],
      )
      assert.ok(results.length > 0)
    }))
}

test('a counterexample is shrunk, and reproduced by its seed and path', () =>
  servers.use({}, async ({ url, logins }) => {
    const sender = faultySender(url, (answer, { parameters }) => {
      if (!parameters.has('conformance_extra')) return
      answer.status = 500
      answer.body = { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' }
    })
    const options = { url, sender, logins, only: ['envelope/hostile/get-own-user'] }
    const first = (await runConformance({ ...options, seed: 7 })).results[0]?.findings[0]
    assert.match(first?.request ?? '', /^GET \/api\/v1\/users\/me\?conformance_extra=[^&]{0,9} as member$/)
    const [, only, seed, path] = /^--only (\S+) --seed (-?\d+) --path ([\d:]+)$/.exec(first?.replay ?? '') ?? []
    assert.deepEqual([only], options.only)
    const again = (await runConformance({ ...options, seed: Number(seed), path: path ?? '' })).results[0]?.findings[0]
    assert.deepEqual([again?.request, again?.requirement], [first?.request, 'CONTRACT-FAILURE'])
  }))

test('refusals are counted for tested operations, and missing ones are named', () =>
  servers.use({}, async ({ url, logins }) => {
    const sender = faultySender(url, ({ body }) => {
      if (body?.code === 'REACTION_DOES_NOT_EXIST') body.code = 'BAD_REQUEST'
    })
    const count = async (only: string) =>
      (await runConformance({ url, sender, logins, only: [only], seed: 7 })).refusals
    assert.deepEqual(await count('reactions/add'), { listed: 0, seen: 0, unseen: [], unprovoked: [] })
    const ofOne = await count('errors/remove-reaction')
    assert.deepEqual(ofOne.unseen, ['remove-reaction: 400 REACTION_DOES_NOT_EXIST'])
    const unprovoked = ['401 REALM_DEACTIVATED', '408 BAD_REQUEST', '429 RATE_LIMIT_HIT', '500 INTERNAL_SERVER_ERROR']
    assert.deepEqual(
      ofOne.unprovoked,
      unprovoked.map((answer) => `remove-reaction: ${answer}`),
    )
    assert.equal(ofOne.listed, ofOne.seen + 1 + unprovoked.length)
  }))
