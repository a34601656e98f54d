import { Pauses } from '../db/pauses.ts'
import type { ExportedMessage } from '../db/repositories/exported-rows.ts'
import type { Readers } from '../db/repositories.ts'
import type { EditHistoryEntry } from '../domain/messages/message.ts'
import type { Scope } from './scope.ts'

/** Messages read together. */
const PAGE = 100

/**
 * Those that go along, by ascending id, and the files that they refer to.
 * @param attachmentIds gets the ids of those files
 */
export async function* exportedMessages(
  read: Readers,
  scope: Scope,
  attachmentIds: Set<number>,
  pauses = new Pauses(),
): AsyncIterable<object> {
  const { messageId: lastMessageId } = await read.events.head()
  for (let after = 0; ; ) {
    const page = await read.exportedRows.messages(after, lastMessageId, PAGE)
    const last = page.at(-1)
    if (!last) return
    const messages = await scope.messagesAmong(page)
    yield* await withParts(read, scope, messages, attachmentIds)
    await pauses.letOthers()
    after = last.id
  }
}

async function withParts(
  read: Readers,
  scope: Scope,
  messages: readonly ExportedMessage[],
  attachmentIds: Set<number>,
): Promise<object[]> {
  const [first, last] = [messages.at(0), messages.at(-1)]
  if (!first || !last) return []
  const ids = messages.map(({ id }) => id)
  const reactions = await read.reactions.ofMessages(ids)
  const submessages = await read.submessages.ofMessages(ids)
  const files = Map.groupBy(await read.exportedRows.files(first.id, last.id), ({ message_id: id }) => Number(id))
  return messages.map((message) => {
    const ofMessage = (files.get(message.id) ?? []).map(({ attachment_id: id }) => id)
    for (const id of ofMessage) attachmentIds.add(id)
    const { channel_id, origin_channel_id: _, direct_group_id, topic, is_me_message, edit_history, ...fields } = message
    return {
      ...fields,
      is_me_message: is_me_message === 1,
      ...(direct_group_id === null
        ? { channel_id, topic: topic ?? '' }
        : { recipient_ids: scope.conversation(direct_group_id) }),
      edit_history: sinceLastMove(JSON.parse(edit_history ?? '[]') as EditHistoryEntry[]),
      reactions: (reactions.get(message.id) ?? []).map(({ userId, emoji }) => ({
        user_id: userId,
        emoji_name: emoji.name,
        emoji_code: emoji.code,
        reaction_type: emoji.type,
      })),
      submessages: (submessages.get(message.id) ?? []).map(({ id, senderId, msgType, content }) => ({
        ...{ id, sender_id: senderId, msg_type: msgType, content },
      })),
      attachment_ids: ofMessage,
    }
  })
}

/** What a message was in another channel stays there: who reads this one may never have read that one. */
function sinceLastMove(history: readonly EditHistoryEntry[]): readonly EditHistoryEntry[] {
  const move = history.findIndex(({ prev_stream: former }) => former !== undefined)
  return move === -1 ? history : history.slice(0, move)
}
