import assert from 'node:assert/strict'
import { Deployment } from '../../conformance/deployment/deployment.ts'
import type { Action, Ground } from '../../conformance/laws/action-kind.ts'
import { succeeds } from '../../conformance/laws/actions.ts'
import { World } from '../../conformance/laws/world.ts'
import { fc } from '../../conformance/seed-testing.ts'
import { readContract } from '../../conformance/wire/contract.ts'
import { Http } from '../../conformance/wire/http.ts'
import { Pace } from '../../conformance/wire/pace.ts'
import { type Clock, systemClock } from '../../domain/clock.ts'
import type { TestServer } from '../../server/testing.ts'
import type { Tally } from './tally.ts'

/** Accounts of the demo organization, one of each role and a bot, in the order of their numbers. */
const KEYS = ['owner', 'admin', 'moderator', 'member', 'member2', 'guest', 'bot']
const [ADMIN, MODERATOR] = [1, 2]
export const [OWNER, MEMBER, MEMBER2, GUEST, BOT] = [0, 3, 4, 5, 6] as const
export type Person = number
export const PEOPLE: readonly Person[] = KEYS.keys().toArray()

const CONTENTS = [
  'Hello.',
  '**bold** and `code`',
  `@{${MEMBER}} and @{${GUEST}}, look`,
  '@_**Max Member** is not disturbed',
  '@**all** come',
  '@**topic** what now?',
  '`@**all**` is code',
  '/me waves',
  '/poll Tea?\ngreen',
]

const person = fc.constantFrom(...PEOPLE)

/** Everybody on our own server, where everything may be written and done. */
export const OURS: Ground = {
  isOurs: true,
  who: person,
  // A few people act more often, so that stored things are replaced and deleted.
  observer: fc.oneof(person, fc.constantFrom(MEMBER, GUEST, BOT)),
  manager: fc.constantFrom(OWNER, OWNER, OWNER, ADMIN, ADMIN, MODERATOR, MEMBER, BOT),
  // Mostly an observer, because most effects of a role are announced to nobody else.
  managed: fc.constantFrom(MEMBER, MEMBER, MEMBER, MEMBER2, undefined),
  content: fc.constantFrom(...CONTENTS),
  // Spellings that any client compares correctly by lower case.
  topic: fc.constantFrom('lunch', 'Lunch', 'LUNCH', 'plans', '', 'general chat', 'Müller'),
  name: fc.constantFrom('Channel', 'Straße', 'İzmir', '会議', '🎈', `it's 5%_\\"`),
  weights: {
    'send direct': 5,
    'change role': 6,
    'rename user': 3,
    flag: 10,
    unsubscribe: 5,
    'deactivate user': 3,
    'reactivate user': 3,
    move: 10,
    resolve: 4,
    'ask for reminder': 6,
    'delete reminder': 3,
    'deactivate bot': 3,
    unreact: 4,
  },
}

type Served = Pick<TestServer, 'url' | 'credentials'>
const deployments = new WeakMap<Served, Promise<Deployment>>()

/** A new world without channels, on a server that others use too. */
export async function worldAt(server: Served): Promise<World> {
  const { users } = server.credentials
  const logins = KEYS.flatMap((key) => users[key] ?? []).map(({ email, api_key: apiKey }) => ({ email, apiKey }))
  const opened = deployments.get(server) ?? Deployment.open(new Http(server.url, new Pace()), readContract(), logins)
  deployments.set(server, opened)
  const deployment = await opened
  assert.equal(deployment.given.length, KEYS.length)
  return new World(deployment, deployment.given, false)
}

/**
 * The clock advances by a second at every reading, so that events and state only agree if both come from one reading.
 */
export function hurriedClock(): Clock {
  let looks = 0
  return {
    ...systemClock,
    now() {
      looks += 1
      return systemClock.now() + looks * 1000
    },
  }
}

/** Performs the action and counts it. */
export async function perform(world: World, tally: Tally, action: Action): Promise<void> {
  const isDone = await succeeds(world, action)
  if (isDone !== undefined) tally.tried(action.kind, isDone)
}
