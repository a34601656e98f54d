import { BadRequestError } from '../errors.ts'
import type { MessageLogEvent } from '../events/log-event.ts'
import { MAX_QUEUE_NARROW_BYTES } from '../limits.ts'
import { emailKey, nameKey, topicKey } from '../text/text-keys.ts'
import { isTopic, normalizeTopicInput, RESOLVED_TOPIC_PREFIX } from '../topics/topics.ts'

/** The narrow of an event queue: a message must match all terms. */
export type QueueNarrow = readonly (readonly [operator: string, operand: string, isNegated?: boolean])[]

const SUPPORTED = ['channel', 'stream', 'topic', 'sender', 'is']
const IS_SUPPORTED = ['dm', 'private', 'starred', 'unread', 'mentioned', 'alerted', 'resolved']

/**
 * Refuses narrows that a queue cannot filter by. Only `message` events are filtered.
 *
 * @throws {BadRequestError} for a long one, for an unknown operator, and for one that only narrows of messages can have
 */
export function checkQueueNarrow(narrow: QueueNarrow): void {
  if (Buffer.byteLength(JSON.stringify(narrow)) > MAX_QUEUE_NARROW_BYTES)
    throw new BadRequestError('narrow is too long')
  for (const [operator, operand] of narrow) {
    if (!SUPPORTED.includes(operator) || (operator === 'is' && !IS_SUPPORTED.includes(operand))) {
      throw new BadRequestError(`Operator ${operator === 'is' ? `is:${operand}` : operator} not supported.`)
    }
  }
}

type ReceivedMessage = Pick<MessageLogEvent, 'message'> & { readonly flags: readonly string[] }

/** @param received the message with the flags of the queue's owner */
export function matchesQueueNarrow(received: ReceivedMessage, narrow: QueueNarrow): boolean {
  return narrow.every(
    ([operator, operand, isNegated = false]) => matchesTerm(received, operator, operand) !== isNegated,
  )
}

function matchesTerm(received: ReceivedMessage, operator: string, operand: string): boolean {
  const { message } = received
  switch (operator) {
    case 'channel':
    case 'stream':
      return (
        message.type === 'stream' &&
        (String(message.stream_id) === operand ||
          (typeof message.display_recipient === 'string' && nameKey(message.display_recipient) === nameKey(operand)))
      )
    case 'topic': {
      if (message.type !== 'stream' || !isTopic(operand)) return false
      return topicKey(message.subject) === topicKey(normalizeTopicInput(operand))
    }
    case 'sender':
      return emailKey(message.sender_email) === emailKey(operand) || String(message.sender_id) === operand
    case 'is':
      return isWhat(received, operand)
    default:
      return false
  }
}

function isWhat({ message, flags }: ReceivedMessage, operand: string): boolean {
  switch (operand) {
    case 'starred':
      return flags.includes('starred')
    case 'unread':
      return !flags.includes('read')
    case 'mentioned':
      return flags.includes('mentioned') || flags.includes('wildcard_mentioned')
    case 'alerted':
      return flags.includes('has_alert_word')
    case 'resolved':
      return message.type === 'stream' && message.subject.startsWith(RESOLVED_TOPIC_PREFIX)
    default:
      return message.type === 'private'
  }
}
