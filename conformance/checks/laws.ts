import fc from 'fast-check'
import { FETCHED_TYPES } from '../../client/state/apply-events.ts'
import type { WireEvent } from '../../client/state/state.ts'
import type { Account, Values } from '../deployment/account.ts'
import { type Event, EventQueue, type Waited } from '../deployment/event-queue.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { Action } from '../laws/action-kind.ts'
import { anyOf, kindNames, perform, privateKinds, sendingKinds } from '../laws/actions.ts'
import { holdsDelivery, reading } from '../laws/delivery.ts'
import { clientDifferences } from '../laws/differences.ts'
import { anywhere } from '../laws/ground.ts'
import { histories } from '../laws/history.ts'
import { leakOf } from '../laws/leak.ts'
import { stateOf, views } from '../laws/view.ts'
import { World } from '../laws/world.ts'
import { modernized } from '../wire/older-events.ts'

const base = { area: 'Events', profile: 'events', isCostly: true } as const
const operations = [
  ...['subscribe', 'get-subscriptions', 'send-message', 'get-messages', 'register-queue', 'get-events', 'delete-queue'],
] as const

/** How long to wait for what may never come while a counterexample is shrunk. */
const shrinkingPatienceMs = 300

const anyClient = fc.record({
  apply_markdown: fc.boolean(),
  capabilities: fc.record({
    bulk_message_deletion: fc.boolean(),
    stream_typing_notifications: fc.boolean(),
    archived_channels: fc.boolean(),
    empty_topic_name: fc.boolean(),
    user_list_incomplete: fc.boolean(),
  }),
})

const anyLife = fc.record({
  observer: fc.constantFrom(0, 0, 0, 2),
  client: anyClient,
  before: fc.array(anyOf(sendingKinds, anywhere), { maxLength: 1 }),
  meanwhile: fc.array(anyOf(kindNames, anywhere), { maxLength: 4 }),
  /** So that there are messages to act on. */
  opening: fc.array(anyOf(sendingKinds, anywhere), { minLength: 1, maxLength: 3 }),
  afterwards: fc.array(anyOf(kindNames, anywhere), { minLength: 4, maxLength: 14 }),
})

const anySecret = fc.record({
  all_public_streams: fc.boolean(),
  actions: fc.array(anyOf(privateKinds, anywhere), { minLength: 3, maxLength: 10 }),
})

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'laws/state',
    title: 'register + events = register again, whatever people do',
    requirements: ['CONTRACT-STATE', 'CONTRACT-HISTORY'],
    also: ['CONTRACT-FAILURE'],
    operations,
    isFirst: true, // or there are no presence events
    async run(t) {
      const people = [await t.user(), await t.user(), await t.user()]
      const patience = new Patience(t, people[0]?.patienceMs ?? 0)
      await t.property(anyLife, ({ observer, client, before, meanwhile, opening, afterwards }) =>
        patience.during(async (patienceMs) => {
          const world = await World.begin(t.deployment, people)
          const actions = [...before, ...meanwhile, ...opening, ...afterwards]
          const life = new Life(t, world, world.person(observer), clientOf(client), { actions, patienceMs })
          try {
            await performAll(t, world, before)
            const [queue] = await Promise.all([life.open(), performAll(t, world, meanwhile)])
            await performAll(t, world, [...opening, ...afterwards])
            await life.holds(queue, client.apply_markdown)
          } finally {
            await world.end()
          }
        }),
      )
    },
  },
  {
    ...base,
    id: 'laws/audience',
    title: 'what is private stays among those who share it, whatever they do',
    requirements: ['CONTRACT-AUDIENCE'],
    also: ['CONTRACT-FAILURE'],
    operations,
    async run(t) {
      const outsider = await t.user()
      const insiders = [await t.user(), await t.user()]
      const patience = new Patience(t, outsider.patienceMs)
      await t.property(anySecret, ({ all_public_streams, actions }) =>
        patience.during(async (patienceMs) => {
          const queue = await EventQueue.open(outsider, { all_public_streams, fetch_event_types: [] })
          const world = await World.beginInPrivate(t.deployment, insiders)
          await performAll(t, world, actions)
          const { event: last, events, exchange, lacked } = await marked(queue, outsider, world.person(0), patienceMs)
          const says = `nothing of what user ${world.person(0).userId} and user ${world.person(1).userId} share`
          const leak = events.map((event) => leakOf(world, event)).find((one) => one !== undefined)
          t.that('CONTRACT-AUDIENCE', exchange, last !== undefined, `the event of a message to the user; but ${lacked}`)
          t.that('CONTRACT-AUDIENCE', exchange, leak === undefined, `${says}; but ${leak}, after ${told(actions)}`)
          const present = await outsider.must('register-queue', { fetch_event_types: FETCHED_TYPES })
          const listed = await outsider.must('get-messages', { anchor: 'newest', num_before: 100, num_after: 0 })
          const names = [world.mark, ...world.channels.map(({ name }) => name)]
          for (const answer of [present, listed]) {
            const name = names.find((one) => answer.text.includes(one))
            const expected = `${says}; but there is ${name}, after ${told(actions)}`
            t.that('CONTRACT-AUDIENCE', answer, name === undefined, expected)
          }
          await outsider.call('delete-queue', { queue_id: present.body.queue_id })
          if (last !== undefined) await queue.close()
        }),
      )
    },
  },
  {
    ...base,
    id: 'laws/delivery',
    title: 'every event comes once, in order, and again until it is acknowledged',
    requirements: ['CONTRACT-DELIVERY'],
    operations,
    async run(t) {
      const [author, reader] = [await t.user(), await t.user()]
      const channel = await t.channel(author, [reader])
      const patience = new Patience(t, reader.patienceMs)
      await t.property(reading, (steps) =>
        patience.during((patienceMs) => holdsDelivery(t, { author, reader, channel, patienceMs }, steps)),
      )
    },
  },
]

/** Waits for less time once something was found, so that shrinking is quick. */
class Patience {
  readonly #t: CheckContext
  #ms: number

  constructor(t: CheckContext, ms: number) {
    this.#t = t
    this.#ms = ms
  }

  async during(body: (patienceMs: number) => Promise<void>): Promise<void> {
    const before = this.#t.findings.length
    await body(this.#ms)
    if (this.#t.findings.length > before) this.#ms = Math.min(this.#ms, shrinkingPatienceMs)
  }
}

function clientOf({ apply_markdown, capabilities }: { apply_markdown: boolean; capabilities: Values }): Values {
  return {
    ...{ apply_markdown, include_subscribers: 'true', slim_presence: true, fetch_event_types: FETCHED_TYPES },
    // Without the first, deployed servers send null in events, and its replacement in the state.
    client_capabilities: { ...capabilities, notification_settings_null: true, simplified_presence_events: true },
  }
}

async function performAll(t: CheckContext, world: World, actions: readonly Action[]): Promise<void> {
  for (const action of actions) {
    const exchange = await perform(world, action)
    if (exchange) t.that('CONTRACT-FAILURE', exchange, exchange.status < 500, 'an HTTP status below 500')
  }
}

/** All events in the queue up to a message that `sender` now sends to the reader. */
async function marked(queue: EventQueue, reader: Account, sender: Account, patienceMs: number): Promise<Waited> {
  const sent = await sender.must('send-message', { type: 'direct', to: [reader.userId], content: 'That was all.' })
  return queue.until({ type: 'message', message: { id: Number(sent.body.id) } }, patienceMs)
}

function told(actions: readonly Action[]): string {
  return JSON.stringify(actions)
}

/** One client of one person, and what it gets. */
class Life {
  readonly #t: CheckContext
  readonly #world: World
  readonly #observer: Account
  readonly #client: Values
  readonly #actions: readonly Action[]
  readonly #patienceMs: number

  constructor(
    t: CheckContext,
    world: World,
    observer: Account,
    client: Values,
    { actions, patienceMs }: { actions: readonly Action[]; patienceMs: number },
  ) {
    this.#t = t
    this.#world = world
    this.#observer = observer
    this.#client = client
    this.#actions = actions
    this.#patienceMs = patienceMs
  }

  open(): Promise<EventQueue> {
    return EventQueue.open(this.#observer, this.#client)
  }

  async holds(queue: EventQueue, applyMarkdown: boolean): Promise<void> {
    const sender = this.#world.people.find((person) => person !== this.#observer) ?? this.#observer
    const waited = await marked(queue, this.#observer, sender, this.#patienceMs)
    const says = `the event of a message to user ${this.#observer.userId}; but ${waited.lacked}`
    if (!this.#t.that('CONTRACT-STATE', waited.exchange, waited.event !== undefined, says)) return
    let present = await this.open()
    let events = waited.events
    if (this.#differences(queue, events, present).length > 0) {
      // Events may come late, and so may work that follows them: a difference that remains when no more events come is
      // wrong.
      events = [...events, ...(await queue.until(() => false, this.#patienceMs)).events]
      await present.close()
      present = await this.open()
    }
    const lines = this.#differences(queue, events, present)
    const expected = `what user ${this.#observer.userId} was told before; but ${lines.join('; ')}, after ${told(this.#actions)}`
    this.#t.that('CONTRACT-STATE', present.registered, lines.length === 0, expected)
    await this.#holdsHistory(queue, events, applyMarkdown)
    await Promise.all([queue.close(), present.close()])
  }

  #differences(queue: EventQueue, events: readonly Event[], present: EventQueue): string[] {
    const [registered, now] = [stateOf(queue.registered.body), stateOf(present.registered.body)]
    return clientDifferences(() => views(this.#world, registered, modernized(events as readonly WireEvent[]), now))
  }

  async #holdsHistory(queue: EventQueue, events: readonly Event[], applyMarkdown: boolean): Promise<void> {
    const first = this.#world.messages[0]?.id
    if (first === undefined) return
    const values = {
      ...{ anchor: first, num_before: 0, num_after: 1000, apply_markdown: applyMarkdown, client_gravatar: true },
      allow_empty_topic_name: true,
    }
    const exchange = await this.#observer.must('get-messages', this.#observer.known('get-messages', values))
    const newestBefore = Number(queue.registered.body.max_message_id)
    const lines = clientDifferences(() =>
      histories(this.#world, modernized(events as readonly WireEvent[]), exchange.body.messages, {
        newestBefore,
        applyMarkdown,
      }),
    )
    const expected = `what user ${this.#observer.userId} was told in events; but ${lines.join('; ')}, after ${told(this.#actions)}`
    this.#t.that('CONTRACT-HISTORY', exchange, lines.length === 0, expected)
  }
}
