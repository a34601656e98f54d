import assert from 'node:assert/strict'
import { fc } from '../../conformance/seed-testing.ts'
import type { ApiClient, TestServer } from '../../server/testing.ts'
import type { Tally } from './tally.ts'

/** Number of the guest; the others are members. */
const GUEST = 0
const PEOPLE = 5

/** What people share, by their numbers. */
interface Sharing {
  /** The subscribers of each channel. */
  readonly channels: readonly (readonly number[])[]
  /** Who wrote to whom. */
  readonly conversations: readonly { readonly by: number; readonly to: readonly number[] }[]
}

interface Change {
  readonly who: number
  readonly what: (typeof KINDS)[number]
}

/** What somebody does, and what others do to them, none of which concerns a guest who cannot see them. */
const CHANGES = {
  rename: (owner, one, text) => owner.must('PATCH', `/users/${one.userId}`, { full_name: `Name ${text}` }),
  promote: (owner, one) => owner.must('PATCH', `/users/${one.userId}`, { role: 300 }),
  demote: (owner, one) => owner.must('PATCH', `/users/${one.userId}`, { role: 400 }),
  status: (_, one, text) => one.must('POST', '/users/me/status', { status_text: text, emoji_name: 'tada' }),
  presence: (_, one) => one.must('POST', '/users/me/presence', { status: 'active' }),
  timezone: (_, one) => one.must('PATCH', '/settings', { timezone: 'Asia/Tokyo' }),
  hideAddress: (_, one) => one.must('PATCH', '/settings', { email_address_visibility: 4 }),
  showAddress: (_, one) => one.must('PATCH', '/settings', { email_address_visibility: 1 }),
  restart: async (owner, one) => {
    await owner.must('DELETE', `/users/${one.userId}`)
    await owner.must('POST', `/users/${one.userId}/reactivate`)
  },
  writeElsewhere: (owner, one, text) =>
    owner.must('POST', '/messages', { type: 'direct', to: [one.userId], content: text }),
} as const satisfies Record<string, (owner: ApiClient, one: ApiClient, text: string) => Promise<unknown>>
const KINDS = Object.keys(CHANGES) as (keyof typeof CHANGES)[]

const anybody = fc.nat({ max: PEOPLE - 1 })
const anyone = fc.integer({ min: 1, max: PEOPLE - 1 })

export const anySharing: fc.Arbitrary<Sharing> = fc.record({
  channels: fc.array(fc.uniqueArray(anybody, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
  // A guest does not write to people they cannot see.
  conversations: fc.array(fc.record({ by: anyone, to: fc.uniqueArray(anybody, { minLength: 1, maxLength: 2 }) }), {
    maxLength: 2,
  }),
})

export const anyChanges: fc.Arbitrary<Change[]> = fc.array(
  fc.record({ who: anyone, what: fc.constantFrom(...KINDS) }),
  { minLength: 6, maxLength: 14 },
)

/** Whether the guest can see somebody, according to the documents. */
function isSeen({ channels, conversations }: Sharing, who: number): boolean {
  const groups = [...channels, ...conversations.map(({ by, to }) => [by, ...to])]
  return groups.some((group) => group.includes(GUEST) && group.includes(who))
}

/** Everybody knows the ids of group members. */
const OF_GROUPS = ['realm_user_groups']
/** Fields of the moment, and of the queue. */
const OF_THE_MOMENT = ['queue_id', 'last_event_id', 'server_timestamp']

/** The guest's registration, answers and events are the same whatever happens to people they cannot see. */
export async function checkUnseen(
  server: TestServer,
  sharing: Sharing,
  changes: readonly Change[],
  tally: Tally,
): Promise<void> {
  const owner = server.as('owner')
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => newcomer(server)))
  const [guest] = people as [ApiClient]
  await owner.must('PATCH', `/users/${guest.userId}`, { role: 600 })
  await share(server, people, sharing)
  const before = await told(guest, people, sharing)
  const queues = await Promise.all([true, false].map((isCapable) => listen(guest, isCapable)))
  for (const { who, what } of changes) {
    if (isSeen(sharing, who)) continue
    await CHANGES[what](owner, people[who] as ApiClient, server.unique('Text'))
    tally.saw(what)
  }
  assert.deepEqual(await told(guest, people, sharing), before, 'answers tell of somebody out of sight')
  for (const queue of queues) {
    const events = await queue()
    assert.deepEqual(
      events.filter(({ type }) => type !== 'user_group'),
      [],
      'events tell of somebody out of sight',
    )
  }
  for (const who of people.keys()) {
    if (who === GUEST || !isSeen(sharing, who)) continue
    await CHANGES.rename(owner, people[who] as ApiClient, server.unique('Text'))
    for (const queue of queues) assert.equal((await queue()).length, 1, 'whom they see is told of')
    tally.saw('somebody in sight')
  }
}

async function newcomer(server: TestServer): Promise<ApiClient> {
  const user = await server.newUser()
  const { subscriptions } = await user.must('GET', '/users/me/subscriptions')
  const names = subscriptions.map((one: { name: string }) => one.name)
  if (names.length > 0) await user.must('DELETE', '/users/me/subscriptions', { subscriptions: names })
  return user
}

async function share(
  server: TestServer,
  people: readonly ApiClient[],
  { channels, conversations }: Sharing,
): Promise<void> {
  const idsOf = (numbers: readonly number[]) => numbers.flatMap((number) => people[number]?.userId ?? [])
  for (const followers of channels) {
    const name = server.unique('Channel')
    const subscriptions = [{ name }]
    await server.as('owner').must('POST', '/users/me/subscriptions', { subscriptions, principals: idsOf(followers) })
  }
  for (const { by, to } of conversations) {
    await people[by]?.must('POST', '/messages', { type: 'direct', to: idsOf(to), content: 'Hello' })
  }
}

/** Everything that a guest may ask about people. */
async function told(guest: ApiClient, people: readonly ApiClient[], sharing: Sharing): Promise<unknown> {
  const registrations = []
  for (const isCapable of [true, false]) {
    for (const slim_presence of [true, false]) {
      const state = await guest.must('POST', '/register', {
        client_capabilities: { notification_settings_null: true, user_list_incomplete: isCapable },
        include_subscribers: 'true',
        slim_presence,
      })
      await guest.must('DELETE', '/events', { queue_id: state.queue_id })
      const left = Object.entries(state).filter(([name]) => ![...OF_GROUPS, ...OF_THE_MOMENT].includes(name))
      registrations.push(Object.fromEntries(left))
    }
  }
  const about = []
  for (const [who, { userId, email }] of people.entries()) {
    for (const path of [
      `/users/${userId}`,
      `/users/${email}`,
      `/users/${userId}/presence`,
      `/users/${userId}/status`,
    ]) {
      const { status, body } = await guest.get(path)
      about.push([path, status, body])
      const isAddress = path.endsWith(email)
      if (path === `/users/${userId}` || isAddress) {
        assert.equal(
          status,
          who === GUEST || isSeen(sharing, who) ? 200 : 400,
          `${path}, which the guest is to see or not`,
        )
      }
    }
    for (const operator of ['sender', 'dm-including']) {
      const asked = { anchor: 'newest', num_before: 9, num_after: 0, narrow: [[operator, userId]] }
      const { status, body } = await guest.get('/messages', asked)
      about.push([operator, status, body])
    }
    const { status, body } = await guest.get('/users', { user_ids: [userId] })
    about.push(['listed', status, body])
  }
  const { server_timestamp: _, ...presence } = await guest.must('GET', '/realm/presence')
  return { registrations, about, presence, users: (await guest.must('GET', '/users')).members }
}

/** @returns a function that reads the events since the last call */
async function listen(guest: ApiClient, isCapable: boolean): Promise<() => Promise<{ readonly type: string }[]>> {
  const { queue_id, ...registered } = await guest.must('POST', '/register', {
    fetch_event_types: [],
    client_capabilities: { notification_settings_null: true, user_list_incomplete: isCapable },
  })
  let last = registered.last_event_id
  return async () => {
    const { events } = await guest.must('GET', '/events', { queue_id, last_event_id: last, dont_block: true })
    last = events.at(-1)?.id ?? last
    return events
  }
}
