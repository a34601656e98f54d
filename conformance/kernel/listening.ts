import type { Account, Values } from '../deployment/account.ts'
import { type Event, EventQueue } from '../deployment/event-queue.ts'
import type { Exchange } from '../wire/http.ts'
import type { Shows } from './effect.ts'
import { postTo } from './messaging.ts'

/** A queue for events of these types, without state. */
export function listen(person: Account, types: readonly string[], values: Values = {}): Promise<EventQueue> {
  return EventQueue.open(person, { event_types: types, fetch_event_types: [], ...values })
}

/** Some events of a queue, and the last answer that brought one of them. */
export interface Heard {
  readonly events: readonly Event[]
  readonly exchange: Exchange
}

/** Waits for the event; without it, returns undefined and reports a finding. @param says what is expected, in words */
export async function heardOf(
  shows: Shows,
  queue: EventQueue,
  wanted: Parameters<EventQueue['until']>[0],
  says: string,
): Promise<(Heard & { event: Event }) | undefined> {
  const { event, events, exchange, lacked } = await queue.until(wanted)
  shows(exchange, event !== undefined, `${says}; but ${lacked}`)
  return event && { event, events, exchange }
}

/** Like `heardOf`, where `says` goes on after "the event". */
export function eventOf(
  shows: Shows,
  queue: EventQueue,
  wanted: Parameters<EventQueue['until']>[0],
  says = JSON.stringify(wanted),
) {
  return heardOf(shows, queue, wanted, `the event ${says}`)
}

/**
 * What `queues` of `listener` received before a direct message that `sender` sends now. The queues must receive
 * messages. Undefined, after a finding, if one of them does not receive it.
 */
export async function heardSoFar(shows: Shows, queues: readonly EventQueue[], sender: Account, listener: Account) {
  const id = await postTo(sender, [listener], 'That was all.')
  const all: Heard[] = []
  for (const queue of queues) {
    const heard = await eventOf(shows, queue, { type: 'message', message: { id } }, `of message ${id}`)
    if (heard === undefined) return undefined
    all.push(heard)
  }
  return all
}

/** Reads up to a message to the listener, and expects nothing but messages before it. */
export async function hearsNothing(shows: Shows, queue: EventQueue, sender: Account, listener: Account): Promise<void> {
  const [heard] = (await heardSoFar(shows, [queue], sender, listener)) ?? []
  if (heard === undefined) return
  const others = heard.events.filter(({ type }) => type !== 'message' && type !== 'heartbeat')
  const says = `no event but messages for user ${listener.userId}, whom the others do not concern`
  shows(heard.exchange, others.length === 0, says)
}
