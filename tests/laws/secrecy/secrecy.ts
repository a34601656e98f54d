import assert from 'node:assert/strict'
import { fc } from '../../../conformance/seed-testing.ts'
import type { Dialect } from '../../../server/testing.ts'
import { type Look, looksAt, registrationOf } from './looks.ts'
import { type Ground, secrets } from './secrets.ts'
import { apart, Twins } from './twins.ts'

export interface SecrecyOptions {
  readonly seed: number
  readonly runs: number
  /** Number of possible requests that each observer sends. */
  readonly looksARun: number
  /** Whether an administrator, who may see more, also asks. */
  readonly withAdministrator: boolean
}

/** People who may see no secrets; administrators know of channels and invitations. */
const OBSERVERS = ['guest', 'member', 'moderator', 'bot', 'admin']

/**
 * Two organizations that differ only in what an observer may not see: every request gets the same bytes, and event
 * queues get the same events. Ids are the same in both, because what differs is done in both, in two ways.
 */
export async function checkSecrecy(
  dialect: Dialect,
  options: SecrecyOptions,
): Promise<{ asked: number; kept: ReadonlySet<string> }> {
  const tally = { asked: 0, kept: new Set<string>() }
  const anyRun = fc.record({
    observers: fc.shuffledSubarray(OBSERVERS, { minLength: OBSERVERS.length }),
    kept: fc.shuffledSubarray([...secrets.keys(), ...secrets.keys()], { minLength: 2 * secrets.length }),
    order: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(anyRun, async ({ observers, kept, order }) => {
      const { withAdministrator } = options
      const known = secrets.filter(({ forAdministratorsToo }) => forAdministratorsToo || !withAdministrator)
      const chosen = kept.flatMap((index) => secrets[index] ?? []).filter((one) => known.includes(one))
      const people = observers.filter((one) => one !== 'admin' || withAdministrator)
      const ground = await newGround(dialect)
      const { twins } = ground
      try {
        const queues = new Map<string, unknown>()
        for (const one of people) queues.set(one, await queueOf(twins, one))
        for (const secret of chosen) {
          await secret.keep(ground)
          tally.kept.add(secret.name)
          twins.advance(1000)
        }
        const differences: (string | undefined)[] = []
        for (const one of people) {
          differences.push(await twins.difference(one, ...eventsOf(queues.get(one))))
          for (const look of sample(looksAt(ground), order, options.looksARun)) {
            differences.push(await twins.difference(one, ...look))
            tally.asked += 1
          }
        }
        assert.deepEqual(
          differences.filter((one) => one !== undefined),
          [],
          chosen.map(({ name }) => name).join(', '),
        )
      } finally {
        await twins.stop()
      }
    }),
    { seed: options.seed, numRuns: options.runs, endOnFailure: true },
  )
  return tally
}

async function newGround(dialect: Dialect): Promise<Ground> {
  const twins = await Twins.start(dialect)
  const hidden = { email_address_visibility: 4 }
  await twins.must('owner', 'PATCH', '/realm/user_settings_defaults', hidden)
  for (const one of ['keeper', 'friend', 'other', 'shy']) {
    await twins.make(one, `${one}@parley.example`)
    await twins.must(one, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })
  }
  const open = { type: 'stream', to: 'general', topic: 'greetings', content: 'Hello everybody.' }
  const [{ id: openId }] = await twins.must('keeper', 'POST', '/messages', open)
  return { twins, channelIds: [], messageIds: [], openId, files: [], count: 0 }
}

/** Some of `all`, each once. */
function sample<T>(all: readonly T[], seed: number, most: number): T[] {
  const [chosen = []] = fc.sample(fc.shuffledSubarray([...all], { minLength: Math.min(most, all.length) }), {
    seed,
    numRuns: 1,
  })
  return chosen.slice(0, most)
}

/** People who may see the secrets: those who act, and their partners. */
const INSIDERS = ['keeper', 'friend', 'other', 'shy', 'admin']

/** Kinds of secrets in which the twins do not differ for anybody, so that they would prove nothing. */
export async function emptySecrets(dialect: Dialect): Promise<string[]> {
  const ground = await newGround(dialect)
  try {
    const empty: string[] = []
    for (const secret of secrets) if (!(await isSeenByInsiders(ground, secret))) empty.push(secret.name)
    return empty
  } finally {
    await ground.twins.stop()
  }
}

async function isSeenByInsiders(ground: Ground, secret: (typeof secrets)[number]): Promise<boolean> {
  const { twins } = ground
  const looks: [string, ...Look][] = [['keeper', 'GET', '/invites']]
  for (const one of INSIDERS) looks.push([one, ...eventsOf(await queueOf(twins, one))])
  ground.newcomer = undefined
  await secret.keep(ground)
  if (ground.newcomer !== undefined) looks.push([ground.newcomer, 'GET', '/users/me'])
  for (const [who, ...look] of looks) if (await twins.difference(who, ...look)) return true
  return false
}

async function queueOf(twins: Twins, who: string): Promise<unknown> {
  const [one, other] = await twins.must(who, 'POST', '/register', registrationOf(who))
  return apart(one.queue_id, other.queue_id)
}

function eventsOf(queue_id: unknown): Look {
  return ['GET', '/events', { queue_id, last_event_id: -1, dont_block: true }]
}
