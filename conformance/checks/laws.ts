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
import { followerOf, stateDifferences } from '../laws/view.ts'
import { World } from '../laws/world.ts'
import { modernized } from '../wire/older-events.ts'

const base = { area: 'Events', isCostly: true } as const

/** How long to wait for events that may never come while a counterexample is shrunk. */
const shrinkingPatienceMs = 300

const anyClient = fc.record({
  apply_markdown: fc.boolean(),
  client_capabilities: fc.record({
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
  /** Messages for later actions. */
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
    title: 'register + events = register again, after random actions',
    requirements: ['CONTRACT-STATE', 'CONTRACT-HISTORY'],
    also: ['CONTRACT-FAILURE'],
    isFirst: true, // servers with many users send no presence events
    async run(t) {
      const people = [await t.user(), await t.user(), await t.user()]
      const during = withPatience(t, people[0]?.patienceMs ?? 0)
      await t.property(anyLife, ({ observer, client, before, meanwhile, opening, afterwards }) =>
        during(async (patienceMs) => {
          const world = await World.begin(t.deployment, people)
          const actions = [...before, ...meanwhile, ...opening, ...afterwards]
          const person = world.person(observer)
          const life = { t, world, observer: person, client: followerOf(client), actions, patienceMs }
          try {
            await performAll(t, world, before)
            const [queue] = await Promise.all([EventQueue.open(person, life.client), performAll(t, world, meanwhile)])
            await performAll(t, world, [...opening, ...afterwards])
            await holdsState(life, queue)
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
    title: 'private things stay among those who share them, during random actions',
    requirements: ['CONTRACT-AUDIENCE'],
    also: ['CONTRACT-FAILURE'],
    async run(t) {
      const outsider = await t.user()
      const insiders = [await t.user(), await t.user()]
      const during = withPatience(t, outsider.patienceMs)
      await t.property(anySecret, ({ all_public_streams, actions }) =>
        during(async (patienceMs) => {
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
    title: 'every event is delivered once and in order, and again until it is acknowledged',
    requirements: ['CONTRACT-DELIVERY'],
    async run(t) {
      const [author, reader] = [await t.user(), await t.user()]
      const channel = await t.channel(author, [reader])
      const during = withPatience(t, reader.patienceMs)
      await t.property(reading, (steps) =>
        during((patienceMs) => holdsDelivery(t, { author, reader, channel, patienceMs }, steps)),
      )
    },
  },
]

type During = (body: (patienceMs: number) => Promise<void>) => Promise<void>

/** Runs bodies with a patience that shrinks after the first finding, so that shrinking is quick. */
function withPatience({ findings }: CheckContext, ms: number): During {
  let patienceMs = ms
  return async (body) => {
    const before = findings.length
    await body(patienceMs)
    if (findings.length > before) patienceMs = Math.min(patienceMs, shrinkingPatienceMs)
  }
}

async function performAll(t: CheckContext, world: World, actions: readonly Action[]): Promise<void> {
  for (const action of actions) {
    const exchange = await perform(world, action)
    if (exchange) t.that('CONTRACT-FAILURE', exchange, exchange.status < 500, 'an HTTP status below 500')
  }
}

/** All events up to a message that `sender` now sends to the reader. */
async function marked(queue: EventQueue, reader: Account, sender: Account, patienceMs: number): Promise<Waited> {
  const sent = await sender.must('send-message', { type: 'direct', to: [reader.userId], content: 'That was all.' })
  return queue.until({ type: 'message', message: { id: Number(sent.body.id) } }, patienceMs)
}

function told(actions: readonly Action[]): string {
  return JSON.stringify(actions)
}

/** One client of one person, and what happens around it. */
interface Life {
  readonly t: CheckContext
  readonly world: World
  readonly observer: Account
  readonly client: Values
  readonly actions: readonly Action[]
  readonly patienceMs: number
}

async function holdsState(life: Life, queue: EventQueue): Promise<void> {
  const { t, world, observer, client, actions, patienceMs } = life
  const sender = world.people.find((person) => person !== observer) ?? observer
  const waited = await marked(queue, observer, sender, patienceMs)
  const says = `the event of a message to user ${observer.userId}; but ${waited.lacked}`
  if (!t.that('CONTRACT-STATE', waited.exchange, waited.event !== undefined, says)) return
  let present = await EventQueue.open(observer, client)
  let events = waited.events
  if (stateDifferences(world, queue, events, present).length > 0) {
    // Events, and work that follows them, may come late. A difference is wrong if it remains when no more events come.
    events = [...events, ...(await queue.until(() => false, patienceMs)).events]
    await present.close()
    present = await EventQueue.open(observer, client)
  }
  const lines = stateDifferences(world, queue, events, present)
  const expected = `the state that user ${observer.userId} knows from events; but ${lines.join('; ')}, after ${told(actions)}`
  t.that('CONTRACT-STATE', present.registered, lines.length === 0, expected)
  await holdsHistory(life, queue, events)
  await Promise.all([queue.close(), present.close()])
}

async function holdsHistory(life: Life, queue: EventQueue, events: readonly Event[]): Promise<void> {
  const { t, world, observer, client, actions } = life
  const [first] = world.messages
  if (first === undefined) return
  const applyMarkdown = client.apply_markdown === true
  const values = {
    anchor: first.id,
    num_before: 0,
    num_after: 1000,
    apply_markdown: applyMarkdown,
    client_gravatar: true,
    allow_empty_topic_name: true,
  }
  const exchange = await observer.must('get-messages', observer.known('get-messages', values))
  const newestBefore = Number(queue.registered.body.max_message_id)
  const lines = clientDifferences(() =>
    histories(world, modernized(events as readonly WireEvent[]), exchange.body.messages, {
      newestBefore,
      applyMarkdown,
    }),
  )
  const expected = `the messages that user ${observer.userId} knows from events; but ${lines.join('; ')}, after ${told(actions)}`
  t.that('CONTRACT-HISTORY', exchange, lines.length === 0, expected)
}
