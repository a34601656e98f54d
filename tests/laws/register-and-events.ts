import assert from 'node:assert/strict'
import fc from 'fast-check'
import { applyEvents, differences, KNOWN_EVENTS, nameOf, normalized } from '../../client/state/apply-events.ts'
import type { ChannelFields } from '../../client/state/channels.ts'
import { withFlags } from '../../client/state/flags.ts'
import { changedIn, deletedIn, withChanges, withoutDeletedNewest } from '../../client/state/message-changes.ts'
import type { MessageFields, WireMessage } from '../../client/state/messages.ts'
import { type PresenceFields, withoutUnseenPresence } from '../../client/state/presence.ts'
import { withReactions } from '../../client/state/reactions.ts'
import type { RecentDirectFields } from '../../client/state/recent-direct.ts'
import type { ClientState, WireEvent } from '../../client/state/state.ts'
import { type UserFields, withNames } from '../../client/state/users.ts'
import { CHANNELS_COUNTED } from '../../db/rows-testing.ts'
import type { TestServer } from '../../server/testing.ts'
import { createChannel } from './actions/subscribe.ts'
import { ALL_KINDS, anyAction } from './all-actions.ts'
import { PEOPLE, type Person } from './people.ts'
import { type Action, Run } from './run.ts'
import type { Tally } from './tally.ts'

const CAPABILITIES = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
]

/** How an observer registers. */
interface Observer {
  readonly person: Person
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly allPublicChannels: boolean
  readonly slimPresence: boolean
  readonly capabilities: readonly string[]
}

const observer = (person: Person): fc.Arbitrary<Observer> =>
  fc.record({
    person: fc.constant(person),
    applyMarkdown: fc.boolean(),
    clientGravatar: fc.boolean(),
    // Guests may not ask for it, and the member becomes one now and then.
    allPublicChannels: person === 'guest' || person === 'member' ? fc.constant(false) : fc.boolean(),
    slimPresence: fc.boolean(),
    capabilities: fc.subarray(CAPABILITIES),
  })

/** One of every role, and the bot. */
const observers = fc.tuple(...PEOPLE.filter((person) => person !== 'member2').map(observer))

const setup = fc.array(createChannel.any, { minLength: 2, maxLength: 4 })

/** One action of every third kind, so that no kind is left to chance. */
const tour = fc
  .tuple(fc.nat({ max: 2 }), ...ALL_KINDS.map(({ any }) => any))
  .map(([turn, ...actions]) => actions.filter((_, index) => index % 3 === turn))

/** Kinds of actions and types of events that no run may do without. */
export const EXPECTED: readonly string[] = [...ALL_KINDS.flatMap(({ kinds }) => kinds), ...KNOWN_EVENTS]

export interface LawOptions {
  readonly seed: number
  readonly runs: number
  /** Runs after which a fresh server takes over, because answers grow with what earlier runs left behind. */
  readonly runsAServer: number
  /** When shrinking a failure ends; a run without a failure that takes longer fails, too. */
  readonly limitMs: number
}

/**
 * What a client is told at registration, brought up to date by its events, is what it is told when it registers again.
 * Some of the actions are done one by one while the observers register, so that state and queue must fit together without a gap.
 */
export async function checkRegisterAndEvents(
  serverOf: (run: number) => Promise<TestServer>,
  tally: Tally,
  { seed, runs, runsAServer, limitMs }: LawOptions,
): Promise<void> {
  let run = 0
  const anyRun = fc.record({
    observers,
    setup,
    tour,
    meanwhile: fc.array(anyAction(ALL_KINDS), { minLength: 4, maxLength: 10 }),
    afterwards: fc.array(anyAction(ALL_KINDS), { minLength: 5, maxLength: 16 }),
    isConcurrent: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(anyRun, async ({ observers, setup, tour, meanwhile, afterwards, isConcurrent }) => {
      const server = await serverOf(Math.floor(run / runsAServer))
      run += 1
      const here = await Run.begin(server, tally, ALL_KINDS)
      for (const action of setup) await here.perform(action)
      const [registered] = await Promise.all([
        Promise.all(observers.map((one) => register(here, one))),
        performAll(here, meanwhile, false),
      ])
      await performAll(here, tour, false)
      await performAll(here, afterwards, isConcurrent)
      await Promise.all(observers.map((one, index) => checkObserver(here, one, registered[index], tally)))
      await checkChannelNumbers(server)
      await here.end()
    }),
    { seed, numRuns: runs, interruptAfterTimeLimit: limitMs, markInterruptAsFailure: true },
  )
}

type State = Record<string, unknown>
type Registered = ClientState & ChannelFields & MessageFields & RecentDirectFields & PresenceFields & UserFields

/** The messages of events, with the flags that came with them. */
function messagesIn(events: readonly WireEvent[]): (WireMessage & { flags: readonly string[] })[] {
  return events.flatMap((event) =>
    event.type === 'message' ? [{ ...(event.message as WireMessage), flags: event.flags as readonly string[] }] : [],
  )
}

/** The numbers in the rows of channels are what one counts, whatever was done. */
async function checkChannelNumbers(server: TestServer): Promise<void> {
  await server.inDatabase(async (session) => {
    const numbers = await session.all('select id, subscriber_count, first_message_id from channel order by id')
    assert.deepEqual(numbers, await session.all(CHANNELS_COUNTED))
  })
}

async function performAll(run: Run, actions: readonly Action[], isConcurrent: boolean): Promise<void> {
  if (isConcurrent) await Promise.all(actions.map((action) => run.perform(action)))
  else for (const action of actions) await run.perform(action)
}

async function register(run: Run, { person, ...options }: Observer): Promise<Registered> {
  const registered = await run.as(person).must('POST', '/register', {
    include_subscribers: 'true',
    apply_markdown: options.applyMarkdown,
    client_gravatar: options.clientGravatar,
    all_public_streams: options.allPublicChannels,
    slim_presence: options.slimPresence,
    client_capabilities: Object.fromEntries(CAPABILITIES.map((name) => [name, options.capabilities.includes(name)])),
  })
  // What a client remembers of its own request.
  return { ...registered, is_slim: options.slimPresence }
}

async function checkObserver(run: Run, one: Observer, registered: Registered | undefined, tally: Tally): Promise<void> {
  assert(registered, `${one.person} registered`)
  const { events } = await run.as(one.person).must('GET', '/events', {
    queue_id: registered.queue_id,
    last_event_id: registered.last_event_id,
    dont_block: true,
  })
  for (const event of events) tally.saw(nameOf(event))
  checkIds(events, registered.last_event_id as number)
  const present = await register(run, one)
  const applied = withoutUnseenPresence(applyEvents(registered, events) as Registered, present)
  const isUntold = isDeletionUntold(run, one, applied.max_message_id)
  const [mine, theirs] = withoutDeletedNewest(applied, present, isUntold).map(normalized) as [State, State]
  const fields = differences(mine, theirs)
  const pick = (state: State) => Object.fromEntries(fields.map((name) => [name, state[name]]))
  assert.deepEqual(pick(mine), pick(theirs), `${one.person}: register + events differs from register in ${fields}`)
  const unreadable = await unreadableChannels(run, one, events)
  await checkMessages(run, one, events, unreadable)
  await checkChanges(run, one, events, unreadable)
  await checkHistory(run, one, registered.max_message_id, events, unreadable)
  for (const { queue_id } of [registered, present]) await run.as(one.person).must('DELETE', '/events', { queue_id })
}

/** Whoever lost sight of a message before its deletion, by leaving a private channel or as a guest, hears nothing. */
function isDeletionUntold(run: Run, { person }: Observer, id: number): boolean {
  const channel = run.deleted.get(id)
  // The member becomes a guest now and then.
  return channel !== undefined && (channel.isPrivate || person === 'guest' || person === 'member')
}

function endedBy(event: WireEvent): number[] {
  switch (nameOf(event)) {
    case 'subscription remove':
      return (event.subscriptions as { stream_id: number }[]).map((subscription) => subscription.stream_id)
    case 'stream delete':
      return event.stream_ids as number[]
    case 'stream update':
      return event.property === 'is_archived' ? [event.stream_id as number] : []
    default:
      return []
  }
}

/** Channels that somebody received messages of and may not read any more. */
async function unreadableChannels(run: Run, one: Observer, events: readonly WireEvent[]): Promise<ReadonlySet<number>> {
  const { streams } = await run.as(one.person).must('GET', '/streams', {
    include_public: false,
    include_can_access_content: true,
    exclude_archived: false,
  })
  const readable = new Set(streams.map((channel: { stream_id: number }) => channel.stream_id))
  return new Set(events.flatMap(endedBy).filter((id) => !readable.has(id)))
}

/** Ids grow, and none is delivered twice (EVENTS-6). */
function checkIds(events: readonly WireEvent[], after: number): void {
  let last = after
  for (const { id } of events) {
    assert(id > last, `event ${id} came after ${last}`)
    last = id
  }
}

/** What history has received since the registration came in events, each message once, and nothing else did. */
async function checkHistory(
  run: Run,
  one: Observer,
  newestBefore: number,
  events: readonly WireEvent[],
  unreadable: ReadonlySet<number>,
): Promise<void> {
  const deleted = deletedIn(events)
  const { messages } = await run.as(one.person).must('GET', '/messages', {
    anchor: Math.max(newestBefore, 0),
    include_anchor: false,
    num_before: 0,
    num_after: 5000,
  })
  assert.deepEqual(
    messagesIn(events).flatMap(({ id, flags, stream_id: channelId = 0 }) =>
      flags.includes('historical') || deleted.has(id) || unreadable.has(channelId) ? [] : [id],
    ),
    // What somebody marked without having received it is in their history too.
    messages.flatMap(({ id, flags }: { id: number; flags: string[] }) => (flags.includes('historical') ? [] : [id])),
    `${one.person}: events and history differ in messages`,
  )
}

/** A message comes the same in an event and from GET /messages, flags included, with the edits and reactions that events tell of. */
async function checkMessages(
  run: Run,
  one: Observer,
  events: readonly WireEvent[],
  unreadable: ReadonlySet<number>,
): Promise<void> {
  const received = messagesIn(events).filter(
    ({ flags, stream_id: channelId = 0 }) => !flags.includes('historical') && !unreadable.has(channelId),
  )
  const { messages } = await run.as(one.person).must('GET', '/messages', {
    message_ids: received.map((message) => message.id),
    apply_markdown: one.applyMarkdown,
    client_gravatar: one.clientGravatar,
    allow_empty_topic_name: one.capabilities.includes('empty_topic_name'),
  })
  const changed = withReactions(withChanges(received, events, one.applyMarkdown), events)
  const told = withFlags(withNames(changed, events), events)
  assert.deepEqual(withFlags(messages, []), told, `${one.person}: events and GET /messages tell messages differently`)
}

/** Nobody hears of a change to a message that they may not read; who lost sight of a channel could read it then. */
async function checkChanges(
  run: Run,
  one: Observer,
  events: readonly WireEvent[],
  unreadable: ReadonlySet<number>,
): Promise<void> {
  for (const id of changedIn(events)) {
    // Whoever does not follow the channel and took a reaction back has nothing of the message, and hears no more of it.
    if (run.deleted.has(id)) continue
    const { status } = await run.as(one.person).get(`/messages/${id}`)
    assert(status === 200 || unreadable.size > 0, `${one.person}: a change to message ${id}, which is out of sight`)
  }
}
