import type { Sender } from '../users/user.ts'
import { flagNames, type MessageFlags } from './flags.ts'
import { type Message, type MessageFormat, ownFields, type Place, placeFields, senderFields } from './message.ts'

/**
 * Makes the JSON of the messages of a page: `toWireMessage` with the viewer's flags and further fields. Senders and
 * places are turned into JSON once, because many messages share them.
 */
export function messageJson(format: MessageFormat) {
  const made = new Map<Place | Sender, string>()
  const shared = <Key extends Place | Sender>(
    key: Key,
    fields: (key: Key, format: MessageFormat) => object,
  ): string => {
    const json = made.get(key) ?? JSON.stringify(fields(key, format)).slice(1, -1)
    made.set(key, json)
    return json
  }
  return (message: Message, flags: MessageFlags, further?: object): string => {
    const own = JSON.stringify({ ...ownFields(message, format), flags: flagNames(flags), ...further })
    return `{${shared(message.place, placeFields)},${shared(message.sender, senderFields)},${own.slice(1)}`
  }
}
