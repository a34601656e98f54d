import type { Fault, SeededFault } from '../testing.ts'
import { misanswered, misread, without } from './misreadings-testing.ts'

/** Of everything of a person, or their settings: given people take part in several runs at once. */
const ofPersons = [
  ...['send-message/visibility', 'get-messages/first-unread', 'update-message-flags', 'mark-all-as-read/event'],
  ...['get-read-receipts/people', 'register-queue/unread-count', 'set-typing-status/unwanted'],
  ...['delete-message/traces', 'delete-message/places', 'get-attachments/room'],
]

/** A server that answers otherwise. */
export function of(only: string, name: string, fault: Fault): SeededFault {
  return misanswered(only, name, fault, ofPersons.includes(only))
}

/** A server that takes other parameters of an operation than it was sent. */
export function mistaken(
  only: string,
  name: string,
  operation: readonly [method: string, path: string | RegExp],
  change: (parameters: URLSearchParams) => void,
): SeededFault {
  return misread(only, name, operation, change, { needsUsers: ofPersons.includes(only) })
}

/** A server that does not know a parameter. */
export function unknown(only: string, parameter: string, operation: readonly [string, string | RegExp]): SeededFault {
  return mistaken(only, `${parameter} not understood in ${operation[1]}`, operation, without(parameter))
}
