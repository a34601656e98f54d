import {
  type Column,
  idOf,
  json,
  longText,
  nullable,
  oneOf,
  requireRecord,
  text,
  time,
  UnfitValueError,
  whole,
  yesOrNo,
} from '../../db/archive/columns.ts'
import { ascending, type UserId } from '../../domain/ids.ts'
import { REACTION_TYPES } from '../../domain/wire-values.ts'
import { ArchiveError } from './archive-error.ts'
import { type ImportContext, type Row, readAt } from './import-context.ts'
import type { Line } from './unpack.ts'

const HISTORY: Readonly<Record<string, Column>> = {
  prev_content: longText,
  prev_rendered_content: longText,
  prev_stream: whole(1),
  stream: whole(1),
  prev_topic: text(60),
  topic: text(60),
}

/** Editors may have joined since, and the channels a message was moved from may be deleted. */
const history = json((value) => {
  if (!Array.isArray(value)) throw new UnfitValueError('is no list')
  for (const entry of value) {
    const { user_id, timestamp, ...changes } = requireRecord(entry)
    nullable(whole(1)).toStored(user_id)
    time.toStored(timestamp)
    for (const [name, change] of Object.entries(changes)) {
      if (!Object.hasOwn(HISTORY, name)) throw new UnfitValueError(`has ${name}, which is not known`)
      HISTORY[name]?.toStored(change)
    }
  }
})

const MESSAGE: Readonly<Record<string, Column>> = {
  id: whole(1),
  sender_id: idOf('user'),
  sent_at: time,
  client: text(30),
  is_me_message: yesOrNo,
  has_link: yesOrNo,
  has_image: yesOrNo,
  mentions_channel: yesOrNo,
  content: longText,
  rendered_content: longText,
  last_edited_at: nullable(time),
  last_moved_at: nullable(time),
  edit_history: history,
}
const IN_CHANNEL: Readonly<Record<string, Column>> = {
  channel_id: idOf('channel'),
  topic: text(60),
  origin_channel_id: nullable(idOf('channel')),
}
const REACTION: Readonly<Record<string, Column>> = {
  user_id: idOf('user'),
  emoji_name: text(100),
  emoji_code: text(100),
  reaction_type: oneOf(...REACTION_TYPES),
}
const SUBMESSAGE: Readonly<Record<string, Column>> = {
  id: whole(1),
  sender_id: idOf('user'),
  msg_type: text(40),
  content: longText,
}

/** Imports messages in the order of their ids, with everything that belongs to them. */
export class ImportedMessages {
  readonly #context: ImportContext
  #last = 0

  constructor(context: ImportContext) {
    this.#context = context
  }

  async take({ value, place }: Line): Promise<void> {
    const { channel_id, topic, origin_channel_id, recipient_ids, reactions, submessages, attachment_ids, ...own } =
      value
    const context = this.#context
    const row = context.row({ value: own, place }, MESSAGE)
    const id = Number(row.id)
    if (id <= this.#last) throw new ArchiveError(`${place}: messages are not in the order of their ids`)
    if (id > context.lastMessageId) throw new ArchiveError(`${place}: export.json says that no message is so new`)
    this.#last = id
    context.add('message', id, place)
    const inChannel = { channel_id, topic, origin_channel_id }
    const to =
      recipient_ids === undefined
        ? await this.#inTopic(context.row({ value: inChannel, place }, IN_CHANNEL))
        : { direct_group_id: await this.#conversation(recipient_ids, place) }
    const files = listOf(attachment_ids, `${place}: attachment_ids`)
    await context.database.add(
      'message',
      {
        channel_id: null,
        origin_channel_id: null,
        topic_id: null,
        direct_group_id: null,
        ...row,
        ...to,
        edit_history: row.edit_history === '[]' ? null : (row.edit_history ?? null),
        has_attachment: files.length > 0 ? 1 : 0,
      },
      place,
    )
    for (const one of listOf(reactions, `${place}: reactions`)) {
      const reaction = this.#part(one, `${place}: reactions`, REACTION)
      await context.database.add('reaction', { message_id: id, ...reaction }, place)
    }
    for (const one of listOf(submessages, `${place}: submessages`)) {
      const submessage = this.#part(one, `${place}: submessages`, SUBMESSAGE)
      await context.database.add('submessage', { message_id: id, ...submessage }, place)
    }
    for (const file of files) {
      // People may have deleted the file while an administrator's export was made.
      const { file: attachment_id = null } = this.#part({ file }, `${place}: attachment_ids`, { file: whole(1) })
      await context.database.add('attachment_message', { attachment_id, message_id: id }, place)
    }
  }

  #part(value: unknown, place: string, columns: Readonly<Record<string, Column>>): Row {
    return this.#context.row({ value: readAt(place, () => requireRecord(value)), place }, columns)
  }

  async #inTopic({ topic, ...where }: Row): Promise<Row> {
    return { ...where, topic_id: await this.#context.database.topicId(Number(where.channel_id), String(topic)) }
  }

  async #conversation(recipients: unknown, place: string): Promise<number> {
    const given = listOf(recipients, `${place}: recipient_ids`)
    for (const user of given) this.#part({ user }, `${place}: recipient_ids`, { user: idOf('user') })
    const members = ascending(given as UserId[])
    if (members.length === 0) throw new ArchiveError(`${place}: recipient_ids is empty`)
    return this.#context.database.conversationId(members, place)
  }
}

function listOf(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ArchiveError(`${place} is no list`)
  return value
}
