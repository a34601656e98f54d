import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { parse } from 'yaml'
import { allChecks } from '../checks/all.ts'
import { allFaults } from '../faults/all-testing.ts'
import type { Check } from '../kernel/check.ts'
import { ServerPool } from '../server-pool-testing.ts'
import { isFull, isTried, mustChoose } from '../tier-testing.ts'
import { readContract } from '../wire/contract.ts'
import { lookedAt } from './expectations-testing.ts'
import { LONG, recordedRun, settingsFor } from './replay-testing.ts'

/** `npm test` tries one check in this many. */
const ONE_CHECK_IN = 24
/** Checks that ask every operation; one of them stands for the others. */
const EACH = /^envelope\/success\//
const REPRESENTATIVE = 'send-message'

const servers = new ServerPool()
/** Expectations that no change of an answer can move. */
const known = new Set(Object.keys(parse(readFileSync(join(import.meta.dirname, 'unmoved.yaml'), 'utf8')) as object))

/** Conditional requirements that faults show. */
const shownElsewhere = new Set(allFaults.flatMap(({ violates }) => violates))

const all = allChecks(readContract()).filter(
  ({ id, isWitness, asksEach }) =>
    !isWitness && !LONG.test(id) && (!(asksEach || EACH.test(id)) || id.endsWith(`/${REPRESENTATIVE}`)),
)

mustChoose(all.map(({ id }) => id))

/** The checks to try, of those that `isMeant` accepts. */
export function triedChecks(isMeant: (id: string) => boolean): Check[] {
  return all.filter(({ id }) => isMeant(id) && isTried(id, ONE_CHECK_IN))
}

/** Proves that everything the check says about an answer can be found wrong. */
export function mustBeMoved(check: Check, t: TestContext): Promise<void> {
  return servers.use(settingsFor(check), async ({ url, logins, onKept }) => {
    const brief = { seed: 7, patienceMs: 3000, shrinkMs: 0, onKept }
    const run = await recordedRun(check.id, { url, logins, checks: [check], ...brief })
    const [result] = run.results
    if (result?.outcome === 'left out') return t.skip(result.reasons.join('; '))
    assert.deepEqual([result?.outcome, result?.findings], ['passed', []])
    const { unmoved, requirements } = await lookedAt(check, run, isFull ? new Set() : known)
    const named = [...check.requirements, ...(check.conditional ?? []).filter((id) => !shownElsewhere.has(id))]
    assert.deepEqual(
      named.filter((id) => !requirements.has(id)),
      [],
      'requirements that it names and says nothing of',
    )
    const listed = [...known].filter((name) => isFull && name.startsWith(`${check.id}: `))
    assert.deepEqual([...unmoved].toSorted(), listed.toSorted(), 'what nothing moves, and what unmoved.yaml says of it')
  })
}
