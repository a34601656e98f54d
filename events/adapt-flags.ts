import type { UpdateMessageFlagsEvent } from '../domain/events/log-event.ts'
import { topicForOutput } from '../domain/topics/topics.ts'
import type { Adapted, Recipient } from './adapted.ts'

/** Changed flags, with the empty topic in the form of the queue's client. */
export function adaptFlags(event: UpdateMessageFlagsEvent, { descriptor }: Recipient): Adapted {
  const details = event.op === 'remove' ? event.message_details : undefined
  if (!details || descriptor.capabilities.empty_topic_name) return { variant: '', make: () => event }
  const named = Object.entries(details).map(([id, one]) => [
    id,
    one.topic === undefined ? one : { ...one, topic: topicForOutput(one.topic, false) },
  ])
  return { variant: 'named topics', make: () => ({ ...event, message_details: Object.fromEntries(named) }) }
}
