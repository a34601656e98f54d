import type { Sender } from '../users/user.ts'
import { flagNames, type MessageFlags } from './flags.ts'
import {
  contentType,
  type Message,
  type MessageFormat,
  type Place,
  placeFields,
  reactionFields,
  senderFields,
  visibleEditHistory,
} from './message.ts'
import { toWireSubmessage } from './submessage.ts'

/**
 * `toWireMessage` with the viewer's flags, as JSON that is joined from texts: a sender and a place are turned into JSON once
 * for all of their messages, and no object is built only to be taken apart. A property holds it against JSON.stringify.
 */
export class MessageJson {
  readonly #format: MessageFormat
  readonly #contentType: string
  readonly #senders = new Map<Sender, string>()
  readonly #places = new Map<Place, string>()

  constructor(format: MessageFormat) {
    this.#format = format
    this.#contentType = fieldsJson(contentType(format))
  }

  /** @param further fields, which come last */
  of(message: Message, flags: MessageFlags, further?: object): string {
    const text = JSON.stringify(this.#format.applyMarkdown ? message.renderedContent : message.content)
    const place = `"id":${message.id},${this.#place(message.place)},"topic_links":[]`
    const content = `"content":${text},${this.#contentType},"timestamp":${message.sentAt}`
    const sender = `${this.#sender(message.sender)},"client":${JSON.stringify(message.client)}`
    const added = `"reactions":${this.#reactions(message)},"submessages":${submessagesJson(message)}`
    const kind = `"is_me_message":${message.isMeMessage},${added}${this.#changes(message)}`
    const own = `"flags":${JSON.stringify(flagNames(flags))}${further ? `,${fieldsJson(further)}` : ''}`
    return `{${place},${content},${sender},${kind},${own}}`
  }

  #place(place: Place): string {
    return remembered(this.#places, place, () => fieldsJson(placeFields(place, this.#format)))
  }

  #sender(sender: Sender): string {
    return remembered(this.#senders, sender, () => fieldsJson(senderFields(sender, this.#format)))
  }

  #reactions(message: Message): string {
    return message.reactions.length === 0 ? '[]' : JSON.stringify(reactionFields(message, this.#format))
  }

  /** Nothing for most messages. */
  #changes({ editHistory, lastEditedAt, lastMovedAt }: Message): string {
    const visible = visibleEditHistory(editHistory, this.#format.editHistoryPolicy)
    const history = visible.length === 0 ? '' : `,"edit_history":${JSON.stringify(visible)}`
    const edited = lastEditedAt === null ? '' : `,"last_edit_timestamp":${lastEditedAt}`
    return `${history}${edited}${lastMovedAt === null ? '' : `,"last_moved_timestamp":${lastMovedAt}`}`
  }
}

function remembered<Key>(known: Map<Key, string>, key: Key, make: () => string): string {
  let json = known.get(key)
  if (json === undefined) {
    json = make()
    known.set(key, json)
  }
  return json
}

function fieldsJson(fields: object): string {
  return JSON.stringify(fields).slice(1, -1)
}

function submessagesJson({ submessages }: Message): string {
  return submessages.length === 0 ? '[]' : JSON.stringify(submessages.map(toWireSubmessage))
}
