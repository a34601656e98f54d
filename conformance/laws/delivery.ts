import fc from 'fast-check'
import type { Account } from '../deployment/account.ts'
import { type Event, EventQueue } from '../deployment/event-queue.ts'
import type { Channel } from '../deployment/leaving.ts'
import type { CheckContext } from '../kernel/check-context.ts'

type Step = { readonly send: true } | { readonly acknowledge: number }

/** Messages are sent, and from time to time the queue is read and partly acknowledged. */
export const reading: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant({ send: true as const }) },
    fc.record({ acknowledge: fc.nat({ max: 4 }) }),
  ),
  { minLength: 3, maxLength: 10 },
)

interface Parties {
  readonly author: Account
  readonly reader: Account
  readonly channel: Channel
  readonly patienceMs: number
}

/** Each read returns exactly what was sent and not acknowledged. */
export async function holdsDelivery(
  t: CheckContext,
  { author, reader, channel, patienceMs }: Parties,
  steps: readonly Step[],
): Promise<void> {
  const wanted = { event_types: ['message'], fetch_event_types: [], narrow: [['stream', channel.name]] }
  const queue = await EventQueue.open(reader, wanted)
  // This queue is read as events come, which shows when the other queue has something.
  const ticker = await EventQueue.open(reader, wanted)
  let acknowledged = Number(queue.registered.body.last_event_id)
  let open: number[] = []
  for (const step of [...steps, { acknowledge: 0 }]) {
    if ('send' in step) {
      const values = { type: 'stream', to: channel.id, topic: 'delivery', content: 'One more.' }
      const id = Number((await author.must('send-message', values)).body.id)
      open.push(id)
      const { event, exchange, lacked } = await ticker.until({ type: 'message', message: { id } }, patienceMs)
      const says = `the event of message ${id}; but ${lacked}`
      if (!t.that('CONTRACT-DELIVERY', exchange, event !== undefined, says)) return
      continue
    }
    const exchange = await queue.peek(acknowledged)
    const events: readonly Event[] = exchange.body.events
    const isSame = events.map(({ message }) => message?.id).join() === open.join()
    const isRising = events.every(({ id }, index) => id > (events[index - 1]?.id ?? acknowledged))
    const says = `the events of the messages ${open.join(', ') || '(none)'}, in this order, with ids that rise from ${acknowledged}`
    if (!t.that('CONTRACT-DELIVERY', exchange, isSame && isRising, `${says}; after ${JSON.stringify(steps)}`)) break
    acknowledged = events[step.acknowledge - 1]?.id ?? acknowledged
    open = events[step.acknowledge - 1] === undefined ? open : open.slice(step.acknowledge)
  }
  await Promise.all([queue.close(), ticker.close()])
}
