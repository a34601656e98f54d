import type { Account, Values } from '../../deployment/account.ts'
import type { Event, EventQueue } from '../../deployment/event-queue.ts'
import type { Shows } from '../../kernel/effect.ts'
import { postTo } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'

/** The answer of POST /register. Its event queue is not used. */
export function stateFor(person: Account, values: Values): Promise<Exchange> {
  return person.must('register-queue', values)
}

export interface Heard {
  readonly events: readonly Event[]
  /** The last answer with events. */
  readonly exchange: Exchange
}

/**
 * What `queues` of `listener` received before a direct message that `sender` sends now. The queues must receive
 * messages. Undefined, after a finding, if one of them does not receive it.
 */
export async function heardSoFar(shows: Shows, queues: readonly EventQueue[], sender: Account, listener: Account) {
  const id = await postTo(sender, [listener], 'That was all.')
  const heard: Heard[] = []
  for (const queue of queues) {
    const { event, events, exchange, lacked } = await queue.until({ type: 'message', message: { id } })
    if (!shows(exchange, event !== undefined, `the event of message ${id}; but ${lacked}`)) return undefined
    heard.push({ events, exchange })
  }
  return heard
}
