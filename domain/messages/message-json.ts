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
  shownEditHistory,
  topicLinks,
} from './message.ts'
import { toWireSubmessage } from './submessage.ts'

/**
 * `toWireMessage` with the viewer's flags, as JSON joined from texts. Data that messages of a page share, such as
 * senders and places, is turned into JSON once, and no objects are built. Uses few and long texts, because each append
 * costs the same. A property compares the result with JSON.stringify.
 */
export class MessageJson {
  readonly #format: MessageFormat
  readonly #contentType: string
  readonly #places = new Map<Place, string>()
  readonly #senders = new Map<Sender, string>()
  readonly #clients = new Map<string, string>()
  readonly #flags = new Map<number, string>()

  constructor(format: MessageFormat) {
    this.#format = format
    this.#contentType = `,${fieldsJson(contentType(format))},"timestamp":`
  }

  /** @param further fields, which come last */
  of(message: Message, flags: MessageFlags, further?: object): string {
    const { id, place, sentAt, sender, client } = message
    const text = JSON.stringify(this.#format.applyMarkdown ? message.renderedContent : message.content)
    const content = `${this.#place(place)}${text}${this.#contentType}${sentAt}`
    const added = `${isMeField(message)}${this.#beside(message)}${this.#changes(message)}`
    return `{"id":${id}${content}${this.#sender(sender)}${this.#client(client)}${added}${this.#flagNames(flags)}${ending(further)}`
  }

  #place(place: Place): string {
    const json = () => {
      const links = JSON.stringify(topicLinks(place, this.#format))
      return `,${fieldsJson(placeFields(place, this.#format))},"topic_links":${links},"content":`
    }
    return remembered(this.#places, place, json)
  }

  #sender(sender: Sender): string {
    return remembered(this.#senders, sender, () => `,${fieldsJson(senderFields(sender, this.#format))},"client":`)
  }

  #client(client: string): string {
    return remembered(this.#clients, client, () => JSON.stringify(client))
  }

  #flagNames(flags: MessageFlags): string {
    const { stored, isRead, isHistorical, isChannelWildcardMentioned } = flags
    const key = stored * 8 + (isRead ? 4 : 0) + (isHistorical ? 2 : 0) + (isChannelWildcardMentioned ? 1 : 0)
    return remembered(this.#flags, key, () => `,"flags":${JSON.stringify(flagNames(flags))}`)
  }

  #beside(message: Message): string {
    const { reactions, submessages } = message
    if (reactions.length === 0 && submessages.length === 0) return ',"reactions":[],"submessages":[]'
    const widget = JSON.stringify(submessages.map(toWireSubmessage))
    return `,"reactions":${JSON.stringify(reactionFields(message, this.#format))},"submessages":${widget}`
  }

  /** Empty for most messages. */
  #changes({ editHistory, lastEditedAt, lastMovedAt }: Message): string {
    if (editHistory === null && lastEditedAt === null && lastMovedAt === null) return ''
    const visible = shownEditHistory(editHistory, this.#format)
    const history = visible.length === 0 ? '' : `,"edit_history":${JSON.stringify(visible)}`
    const edited = lastEditedAt === null ? '' : `,"last_edit_timestamp":${lastEditedAt}`
    return `${history}${edited}${lastMovedAt === null ? '' : `,"last_moved_timestamp":${lastMovedAt}`}`
  }
}

function isMeField({ isMeMessage }: Message): string {
  return isMeMessage ? ',"is_me_message":true' : ',"is_me_message":false'
}

function ending(further: object | undefined): string {
  return further ? `,${fieldsJson(further)}}` : '}'
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
