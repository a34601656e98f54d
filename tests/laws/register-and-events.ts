import assert from 'node:assert/strict'
import { applyEvents, differences, KNOWN_EVENTS, nameOf, normalized } from '../../client/state/apply-events.ts'
import type { ChannelFields } from '../../client/state/channels.ts'
import { withoutDeletedNewest } from '../../client/state/message-changes.ts'
import type { MessageFields } from '../../client/state/messages.ts'
import { type PresenceFields, withoutUnseenPresence } from '../../client/state/presence.ts'
import type { RecentDirectFields } from '../../client/state/recent-direct.ts'
import type { ClientState, WireEvent } from '../../client/state/state.ts'
import type { UserFields } from '../../client/state/users.ts'
import { EventQueue } from '../../conformance/deployment/event-queue.ts'
import type { Action } from '../../conformance/laws/action-kind.ts'
import { anyOf, ourKindNames } from '../../conformance/laws/actions.ts'
import type { World } from '../../conformance/laws/world.ts'
import { fc } from '../../conformance/seed-testing.ts'
import type { TestServer } from '../../server/testing.ts'
import { BOT, GUEST, MEMBER, MEMBER2, OURS, OWNER, PEOPLE, type Person, perform, worldAt } from './ground.ts'
import { checkRows } from './rows.ts'
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
 * never changed and folders never removed. The tests of their operations check them.
 */
const UNCAUSED = new Set([
  ...['realm_export', 'device update', 'restart', 'realm deactivated', 'reminders update', 'channel_folder remove'],
])

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
      await Promise.all(observers.map((one, index) => checkObserver(world, one, queues[index], tally)))
      await checkRows(server)
      await world.end()
    }),
    { seed, numRuns: runs, interruptAfterTimeLimit: limitMs },
  )
}

/** Sets whether guests see only people they share a conversation with; no event announces the consequences. */
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

type State = Record<string, unknown>
type Registered = ClientState & ChannelFields & MessageFields & RecentDirectFields & PresenceFields & UserFields

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
  const who = world.person(one.person).fullName
  assert(queue, `${who} registered`)
  const registered = toldTo(one, queue)
  const events: WireEvent[] = (await queue.peek(Number(registered.last_event_id))).body.events
  for (const event of events) tally.saw(nameOf(event))
  const queueNow = await open(world, one)
  const present = toldTo(one, queueNow)
  const applied = withoutUnseenPresence(applyEvents(registered, events), present)
  const isUntold = isDeletionUntold(world, one, applied.max_message_id)
  const [mine, theirs] = withoutDeletedNewest(applied, present, isUntold).map(normalized) as [State, State]
  const fields = differences(mine, theirs)
  const pick = (state: State) => Object.fromEntries(fields.map((name) => [name, state[name]]))
  assert.deepEqual(pick(mine), pick(theirs), `${who}: register + events differs from register in ${fields}`)
  await Promise.all([queue.close(), queueNow.close()])
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
