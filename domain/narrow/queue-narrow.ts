import { BadRequestError } from '../errors.ts'
import type { MessageLogEvent } from '../log-event.ts'
import { nameKey, topicKey } from '../text-keys.ts'
import { normalizeTopicInput } from '../topics.ts'

/** The narrow of an event queue: pairs, all of which a message must meet (facts/narrow.md, "Queue narrows"). */
export type QueueNarrow = readonly (readonly [operator: string, operand: string])[]

const SUPPORTED = ['channel', 'stream', 'topic', 'sender', 'is']

/** Refuses what a queue cannot filter by; only `message` events are filtered at all. */
export function checkQueueNarrow(narrow: QueueNarrow): void {
  for (const [operator, operand] of narrow) {
    if (!SUPPORTED.includes(operator) || (operator === 'is' && !['dm', 'private', 'mentioned'].includes(operand))) {
      throw new BadRequestError(`Operator ${operator === 'is' ? `is:${operand}` : operator} not supported.`)
    }
  }
}

type ReceivedMessage = Pick<MessageLogEvent, 'message'> & { readonly flags: readonly string[] }

/** @param received the message with the flags of the queue's own user */
export function matchesQueueNarrow(received: ReceivedMessage, narrow: QueueNarrow): boolean {
  return narrow.every(([operator, operand]) => matchesTerm(received, operator, operand))
}

function matchesTerm({ message, flags }: ReceivedMessage, operator: string, operand: string): boolean {
  switch (operator) {
    case 'channel':
    case 'stream':
      return (
        message.type === 'stream' &&
        (String(message.stream_id) === operand ||
          (typeof message.display_recipient === 'string' && nameKey(message.display_recipient) === nameKey(operand)))
      )
    case 'topic': {
      const topic = normalizeTopicInput(operand)
      return message.type === 'stream' && topic.ok && topicKey(message.subject) === topicKey(topic.value)
    }
    case 'sender':
      return message.sender_email.toLowerCase() === operand.toLowerCase() || String(message.sender_id) === operand
    case 'is':
      return operand === 'mentioned'
        ? flags.some((flag) => flag === 'mentioned' || flag === 'wildcard_mentioned')
        : message.type === 'private'
    default:
      return false
  }
}
