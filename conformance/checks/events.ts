import type { Account } from '../account.ts'
import type { Check } from '../check.ts'
import type { Channel } from '../deployment.ts'
import { EventQueue } from '../event-queue.ts'

const base = { area: 'GET /events', profile: 'events' } as const
const operations = ['subscribe', 'send-message', 'register-queue', 'get-events', 'delete-queue'] as const

export const eventChecks: readonly Check[] = [
  {
    ...base,
    id: 'events/poll',
    title: 'an event queue delivers, acknowledges and waits',
    requirements: ['EVENTS-2', 'EVENTS-3', 'EVENTS-4', 'EVENTS-5', 'EVENTS-6', 'EVENTS-7', 'EVENTS-8', 'EVENTS-9'],
    operations,
    async run(t) {
      const [author, reader] = [await t.user(), await t.user()]
      const channel = await t.channel(author, [reader])
      const ofChannel = [['stream', channel.name]] // so that nobody else's messages come in between
      const queue = await EventQueue.open(reader, { event_types: ['message'], narrow: ofChannel })
      const start = Number(queue.registered.body.last_event_id)
      const empty = await queue.peek(start)
      t.that('EVENTS-7', empty, Array.isArray(empty.body.events) && empty.body.events.length === 0, '`events` is empty')
      for (const content of ['One.', 'Two.', 'Three.']) await send(author, channel, content)
      const all = await queue.peek(start)
      const events = all.body.events
      if (!t.that('EVENTS-5', all, Array.isArray(events) && events.length === 3, '`events` has three objects')) return
      const eventIds = events.map(({ id }: { id: number }) => id)
      const isRising = eventIds[0] < eventIds[1] && eventIds[1] < eventIds[2]
      t.that('EVENTS-6', all, isRising, 'the `id`s rise')
      t.that('EVENTS-8', all, all.body.queue_id === queue.id, `\`queue_id\` is "${queue.id}"`)
      const rest = await queue.peek(eventIds[1])
      const onlyLast = rest.body.events.length === 1 && rest.body.events[0].id === eventIds[2]
      t.that('EVENTS-2', rest, onlyLast, `only the event ${eventIds[2]}, because ${eventIds[1]} was named`)
      const later = await queue.peek(eventIds[1])
      const staysGone = later.body.events.every(({ id }: { id: number }) => id > eventIds[1])
      t.that('EVENTS-3', later, staysGone, `no event up to ${eventIds[1]}, which is acknowledged`)
      const [waited, sent] = await Promise.all([
        reader.must('get-events', { queue_id: queue.id, last_event_id: eventIds[2] }),
        send(author, channel, 'Four.'),
      ])
      const [event] = waited.body.events
      t.that('EVENTS-4', waited, event !== undefined, 'an answer that waited for an event')
      t.that('EVENTS-9', waited, event?.message?.id === sent, `the event of message ${sent}`)
      await queue.close()
    },
  },
  {
    ...base,
    id: 'events/refused',
    title: 'a queue that is not the caller’s is refused',
    requirements: ['EVENTS-1', 'EVENTS-13'],
    operations,
    async run(t) {
      const [owner, other] = [await t.user(), await t.user()]
      const queue = await EventQueue.open(owner, { event_types: ['message'] })
      for (const queueId of [queue.id, 'conformance-none']) {
        const values = { queue_id: queueId, last_event_id: -1, dont_block: true }
        const exchange = await other.call('get-events', values)
        const { status, body } = exchange
        const isBad = status === 400 && body?.code === 'BAD_EVENT_QUEUE_ID' && body.queue_id === queueId
        t.that('EVENTS-13', exchange, isBad, `HTTP 400, BAD_EVENT_QUEUE_ID and \`queue_id\` "${queueId}"`)
      }
      const nameless = await other.call('get-events', { last_event_id: -1, dont_block: true })
      t.that('EVENTS-1', nameless, nameless.body?.result === 'error', 'a refusal, because of `queue_id`')
      await queue.close()
    },
  },
]

async function send(author: Account, channel: Channel, content: string): Promise<number> {
  const sent = await author.must('send-message', { type: 'stream', to: channel.id, topic: 'events', content })
  return Number(sent.body.id)
}
