import type { Account, Values } from '../deployment/account.ts'
import { type Event, EventQueue } from '../deployment/event-queue.ts'
import type { Exchange } from '../wire/http.ts'
import type { Shows } from './effect.ts'
import { postTo } from './messaging.ts'

/** A queue for events of these types, without state. */
export function listen(person: Account, types: readonly string[], values: Values = {}): Promise<EventQueue> {
  return EventQueue.open(person, { event_types: types, fetch_event_types: [], ...values })
}

/**
 * Waits for the event; without it, returns undefined and reports a finding. @param says what is waited for, in words
 */
export async function eventOf(
  shows: Shows,
  queue: EventQueue,
  wanted: Parameters<EventQueue['until']>[0],
  says = JSON.stringify(wanted),
): Promise<{ event: Event; exchange: Exchange } | undefined> {
  const { event, exchange, lacked } = await queue.until(wanted)
  shows(exchange, event !== undefined, `the event ${says}; but ${lacked}`)
  return event && { event, exchange }
}

/** Reads up to a message to the listener, and expects no event of this type before it. */
export async function hearsNothing(
  shows: Shows,
  queue: EventQueue,
  sender: Account,
  listener: Account,
  type: string,
): Promise<void> {
  const id = await postTo(sender, [listener], 'That was all.')
  const { event, events, exchange, lacked } = await queue.until({ type: 'message', message: { id } })
  shows(exchange, event !== undefined, `the event of message ${id}; but ${lacked}`)
  const isQuiet = events.every((one) => one.type !== type)
  shows(exchange, isQuiet, `no event of the type ${type} for user ${listener.userId}, whom it does not concern`)
}
