import assert from 'node:assert/strict'
import { applyEvents, differences, KNOWN_EVENTS, nameOf, normalized } from '../../client/state/apply-events.ts'
import { type ChannelFields, withChannelNames } from '../../client/state/channels.ts'
import { withFlags } from '../../client/state/flags.ts'
import { changedIn, deletedIn, withChanges, withoutDeletedNewest } from '../../client/state/message-changes.ts'
import type { MessageFields, WireMessage } from '../../client/state/messages.ts'
import { type PresenceFields, withoutUnseenPresence } from '../../client/state/presence.ts'
import { withReactions } from '../../client/state/reactions.ts'
import type { RecentDirectFields } from '../../client/state/recent-direct.ts'
import type { ClientState, WireEvent } from '../../client/state/state.ts'
import { type UserFields, withNames, withPictures } from '../../client/state/users.ts'
import { EventQueue } from '../../conformance/deployment/event-queue.ts'
import type { Action } from '../../conformance/laws/action-kind.ts'
import { anyOf, ourKindNames } from '../../conformance/laws/actions.ts'
import type { World } from '../../conformance/laws/world.ts'
import { fc } from '../../conformance/seed-testing.ts'
import type { TestServer } from '../../server/testing.ts'
import { BOT, GUEST, MEMBER, MEMBER2, OURS, OWNER, PEOPLE, type Person, perform, worldAt } from './ground.ts'
import { checkBots, checkChannelNumbers } from './rows.ts'
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
    // Guests may not ask for it, and the member is sometimes one.
    allPublicChannels: person === GUEST || person === MEMBER ? fc.constant(false) : fc.boolean(),
    slimPresence: fc.boolean(),
    capabilities: fc.subarray(CAPABILITIES),
  })

/** One of each role, and the bot. */
const observers = fc.tuple(...PEOPLE.filter((person) => person !== MEMBER2).map(observer))

const setup = fc.array(anyOf(['create channel'], OURS), { minLength: 1, maxLength: 3 })

/** One action of every third kind, so that no kind depends on chance. */
const tour = fc
  .tuple(fc.nat({ max: 2 }), ...ourKindNames.map((name) => anyOf([name], OURS)))
  .map(([turn, ...actions]) => actions.filter((_, index) => index % 3 === turn))

/**
 * Events that no action causes, because they take seconds or a push service, or end the run, or because reminders are
 * never changed. The tests of their operations check them.
 */
const UNCAUSED = new Set(['realm_export', 'device update', 'restart', 'realm deactivated', 'reminders update'])

/** Kinds of actions and types of events that every run must have. */
export const EXPECTED: readonly string[] = [...ourKindNames, ...KNOWN_EVENTS.filter((name) => !UNCAUSED.has(name))]

export interface LawOptions {
  readonly seed: number
  readonly runs: number
  /** When the runs, or the shrinking of a counterexample, end: before the runner stops the test. */
  readonly limitMs: number
}

/**
 * A client's initial state, updated by its events, equals the state of a new registration. Some actions are done while
 * the observers register, so that state and queue must fit together without a gap.
 */
export async function checkRegisterAndEvents(
  server: TestServer,
  tally: Tally,
  { seed, runs, limitMs }: LawOptions,
): Promise<void> {
  const anyRun = fc.record({
    observers,
    setup,
    tour,
    meanwhile: fc.array(anyOf(ourKindNames, OURS), { minLength: 4, maxLength: 10 }),
    afterwards: fc.array(anyOf(ourKindNames, OURS), { minLength: 5, maxLength: 16 }),
    isConcurrent: fc.boolean(),
    isLimited: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(anyRun, async ({ observers, setup, tour, meanwhile, afterwards, isConcurrent, isLimited }) => {
      const world = await worldAt(server)
      await limitGuests(world, isLimited)
      await world.mustMakeChannel([OWNER, MEMBER, GUEST, BOT], false)
      await world.mustMakeChannel([OWNER, MEMBER], true)
      await performAll(world, tally, setup, false)
      const [queues] = await Promise.all([
        Promise.all(observers.map((one) => open(world, one))),
        performAll(world, tally, meanwhile, false),
      ])
      if (isLimited) await meetAndPart(world)
      await performAll(world, tally, tour, false)
      await performAll(world, tally, afterwards, isConcurrent)
      await imagesAreShown(server)
      await Promise.all(observers.map((one, index) => checkObserver(world, one, queues[index], tally)))
      await checkChannelNumbers(server)
      await checkBots(server)
      await world.end()
    }),
    { seed, numRuns: runs, interruptAfterTimeLimit: limitMs },
  )
}

/** Sets whether guests see only people they share a conversation with; no event tells the consequences. */
async function limitGuests(world: World, isLimited: boolean): Promise<void> {
  const group = { new: isLimited ? 6 : 7 }
  await world.person(OWNER).must('update-realm', { can_access_all_users_group: group })
}

/** Somebody becomes visible to the guest and invisible again, which random actions do too rarely. */
async function meetAndPart(world: World): Promise<void> {
  await world.mustMakeChannel([OWNER, GUEST], false)
  const channel = world.channel(-1 + world.channels.length)
  await world.makeUser()
  const comer = world.newcomers.at(-1)
  assert(comer, 'the owner makes users')
  const { body } = await comer.must('get-subscriptions')
  await comer.must('subscribe', { subscriptions: [{ name: channel.name }] })
  const names = body.subscriptions.map((one: { name: string }) => one.name)
  await comer.must('unsubscribe', { subscriptions: [...names, channel.name] })
}

/** A thumbnail may change a message with an image shortly after it was sent, and between two readings of it. */
async function imagesAreShown(server: TestServer): Promise<void> {
  for (let isLeft = true; isLeft; ) {
    await server.inDatabase(async (session) => {
      isLeft = (await session.get('select 1 from image where is_told = 0 limit 1')) !== undefined
    })
  }
}

type State = Record<string, unknown>
type Registered = ClientState & ChannelFields & MessageFields & RecentDirectFields & PresenceFields & UserFields

/** The messages of events, with the flags that came with them. */
function messagesIn(events: readonly WireEvent[]): (WireMessage & { flags: readonly string[] })[] {
  return events.flatMap((event) =>
    event.type === 'message' ? [{ ...(event.message as WireMessage), flags: event.flags as readonly string[] }] : [],
  )
}

async function performAll(
  world: World,
  tally: Tally,
  actions: readonly Action[],
  isConcurrent: boolean,
): Promise<void> {
  if (isConcurrent) await Promise.all(actions.map((action) => perform(world, tally, action)))
  else for (const action of actions) await perform(world, tally, action)
}

function open(world: World, { person, ...options }: Observer): Promise<EventQueue> {
  return EventQueue.open(world.person(person), {
    include_subscribers: 'true',
    apply_markdown: options.applyMarkdown,
    client_gravatar: options.clientGravatar,
    all_public_streams: options.allPublicChannels,
    slim_presence: options.slimPresence,
    client_capabilities: Object.fromEntries(CAPABILITIES.map((name) => [name, options.capabilities.includes(name)])),
  })
}

/** The initial state, with what a client remembers of its own request. */
function toldTo({ slimPresence }: Observer, { registered: { body } }: EventQueue): Registered {
  return { ...body, is_slim: slimPresence }
}

async function checkObserver(world: World, one: Observer, queue: EventQueue | undefined, tally: Tally): Promise<void> {
  const who = shown(world, one)
  assert(queue, `${who} registered`)
  const registered = toldTo(one, queue)
  const events: WireEvent[] = (await queue.peek(Number(registered.last_event_id))).body.events
  for (const event of events) tally.saw(nameOf(event))
  checkIds(events, Number(registered.last_event_id))
  const queueNow = await open(world, one)
  const present = toldTo(one, queueNow)
  const applied = withoutUnseenPresence(applyEvents(registered, events), present)
  const isUntold = isDeletionUntold(world, one, applied.max_message_id)
  const [mine, theirs] = withoutDeletedNewest(applied, present, isUntold).map(normalized) as [State, State]
  const fields = differences(mine, theirs)
  const pick = (state: State) => Object.fromEntries(fields.map((name) => [name, state[name]]))
  assert.deepEqual(pick(mine), pick(theirs), `${who}: register + events differs from register in ${fields}`)
  const unreadable = await unreadableChannels(world, one, events)
  await checkMessages(world, one, events, unreadable)
  await checkChanges(world, one, events, unreadable)
  await checkHistory(world, one, registered.max_message_id, events, unreadable)
  await Promise.all([queue.close(), queueNow.close()])
}

function shown(world: World, { person }: Observer): string {
  return world.person(person).fullName
}

/**
 * Somebody who could no longer see a message before its deletion, after leaving a private channel or as a guest, gets
 * no event.
 */
function isDeletionUntold(world: World, { person }: Observer, id: number): boolean {
  const channel = world.deleted.has(id) ? world.messages.find((message) => message.id === id)?.channel : undefined
  // The member is sometimes a guest.
  return channel !== undefined && (channel.isPrivate || person === GUEST || person === MEMBER)
}

function vanishedIn(event: WireEvent): number[] {
  return nameOf(event) === 'stream delete' ? (event.stream_ids as number[]) : []
}

function endedBy(event: WireEvent): number[] {
  switch (nameOf(event)) {
    case 'subscription remove':
      return (event.subscriptions as { stream_id: number }[]).map((subscription) => subscription.stream_id)
    case 'stream delete':
      return vanishedIn(event)
    case 'stream update':
      // Administrators know of a channel that became private, and may not read it.
      return ['is_archived', 'invite_only'].includes(event.property as string) ? [event.stream_id as number] : []
    default:
      return []
  }
}

/** From then on earlier messages are invisible to later subscribers. */
function hidesHistory(event: WireEvent): boolean {
  return nameOf(event) === 'stream update' && event.history_public_to_subscribers === false
}

/** Channels in which somebody received messages and may not read any more. */
async function unreadableChannels(
  world: World,
  one: Observer,
  events: readonly WireEvent[],
): Promise<ReadonlySet<number>> {
  const { body } = await world.person(one.person).must('get-streams', {
    include_public: false,
    include_can_access_content: true,
    exclude_archived: false,
  })
  const readable = new Set(body.streams.map((channel: { stream_id: number }) => channel.stream_id))
  return new Set(events.flatMap(endedBy).filter((id) => !readable.has(id)))
}

/** The message's channel after the moves in events; 0 for direct messages. */
function lastPlace({ id, stream_id: origin = 0 }: WireMessage, events: readonly WireEvent[]): number {
  const move = events.findLast(
    (event) => event.new_stream_id !== undefined && (event.message_ids as number[]).includes(id),
  )
  return (move?.new_stream_id as number | undefined) ?? origin
}

/** Ids grow, and none is delivered twice (EVENTS-6). */
function checkIds(events: readonly WireEvent[], after: number): void {
  let last = after
  for (const { id } of events) {
    assert(id > last, `event ${id} came after ${last}`)
    last = id
  }
}

/** Everything received since the registration came in events, each message once, and nothing else did. */
async function checkHistory(
  world: World,
  one: Observer,
  newestBefore: number,
  events: readonly WireEvent[],
  unreadable: ReadonlySet<number>,
): Promise<void> {
  const deleted = deletedIn(events)
  const { body } = await world.person(one.person).must('get-messages', {
    anchor: Math.max(newestBefore, 0),
    include_anchor: false,
    num_before: 0,
    num_after: 5000,
  })
  assert.deepEqual(
    messagesIn(events).flatMap((message) => {
      const { id, flags } = message
      return flags.includes('historical') || deleted.has(id) || unreadable.has(lastPlace(message, events)) ? [] : [id]
    }),
    // Messages that somebody flagged without having received them are in their history too. Moved messages may have
    // become visible again, which no event tells.
    body.messages.flatMap(({ id, flags }: { id: number; flags: string[] }) =>
      flags.includes('historical') || (deleted.has(id) && !world.deleted.has(id)) ? [] : [id],
    ),
    `${shown(world, one)}: events and history differ in messages`,
  )
}

/** A message is the same in an event, updated by later edits and reactions, and from GET /messages, including flags. */
async function checkMessages(
  world: World,
  one: Observer,
  events: readonly WireEvent[],
  unreadable: ReadonlySet<number>,
): Promise<void> {
  // A client that does not know archived channels gets no event about the name of one.
  const archived = one.capabilities.includes('archived_channels') ? [] : events.flatMap(vanishedIn)
  const gone = deletedIn(events)
  const received = messagesIn(events).filter(
    (message) =>
      !message.flags.includes('historical') &&
      !unreadable.has(lastPlace(message, events)) &&
      (!gone.has(message.id) || world.deleted.has(message.id)) &&
      !archived.includes(message.stream_id ?? 0),
  )
  const { body } = await world.person(one.person).must('get-messages', {
    message_ids: received.map((message) => message.id),
    apply_markdown: one.applyMarkdown,
    client_gravatar: one.clientGravatar,
    allow_empty_topic_name: one.capabilities.includes('empty_topic_name'),
  })
  const changed = withReactions(withChanges(received, events, one.applyMarkdown), events)
  const told = withFlags(withChannelNames(withNames(changed, events), events), events)
  // The event of a move does not have the new channel's name.
  const ids = new Set(
    events.flatMap((event) => (event.new_stream_id === undefined ? [] : (event.message_ids as number[]))),
  )
  const nameless = (messages: readonly WireMessage[]) =>
    messages.map((one) => (ids.has(one.id) ? { ...one, display_recipient: '', recipient_id: 0 } : one))
  // For a picture that a client may compute, events tell only that it changed.
  const computed = new Set(
    withPictures(told, events).flatMap((one) => (one.avatar_url === undefined ? [one.sender_id] : [])),
  )
  const answered = withFlags(body.messages as ReturnType<typeof messagesIn>, []).map((one) =>
    computed.has(one.sender_id) ? { ...one, avatar_url: undefined } : one,
  )
  // A message stays as it was sent if its sender becomes visible or invisible later.
  const met = new Set(
    events.flatMap((event) =>
      ['realm_user add', 'realm_user remove'].includes(nameOf(event))
        ? [(event.person as { user_id: number }).user_id]
        : [],
    ),
  )
  const unsigned = (messages: readonly WireMessage[]) =>
    messages.map((one) =>
      met.has(one.sender_id) ? { ...one, sender_full_name: '', sender_email: '', avatar_url: undefined } : one,
    )
  assert.deepEqual(
    unsigned(nameless(answered)),
    unsigned(nameless(withPictures(told, events))),
    `${shown(world, one)}: events and GET /messages tell messages differently`,
  )
}

/** Nobody gets events about a message that they may not read; those who lost a channel could read it then. */
async function checkChanges(
  world: World,
  one: Observer,
  events: readonly WireEvent[],
  unreadable: ReadonlySet<number>,
): Promise<void> {
  const person = world.person(one.person)
  const { userId } = person
  const gone = deletedIn(events)
  // Without a subscription, people hear of what they do themselves, and of what others do to a message that they have
  // flagged or reacted to. Once it is neither, no event tells them that it is deleted or goes out of sight.
  const left = new Set(
    events.flatMap((event) => {
      if (nameOf(event) === 'update_message_flags remove') return event.messages as number[]
      return nameOf(event) === 'reaction remove' && event.user_id === userId ? [event.message_id as number] : []
    }),
  )
  const byOthers = events.filter(({ user_id: user, sender_id: sender = user }) => sender !== userId)
  for (const id of changedIn(byOthers)) {
    if (world.deleted.has(id) || gone.has(id) || left.has(id)) continue
    const { status } = await person.call('get-message', { message_id: id })
    assert(
      status === 200 || unreadable.size > 0 || events.some(hidesHistory),
      `${shown(world, one)}: a change to message ${id}, which is out of sight`,
    )
  }
}
