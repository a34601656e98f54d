import type { ExportedMessage } from '../db/repositories/exported-rows.ts'
import type { Readers } from '../db/repositories.ts'
import { visibleHistory } from '../domain/messages/former-places.ts'
import type { EditHistoryEntry } from '../domain/messages/message.ts'
import { Pauses } from '../event-loop/pauses.ts'
import type { KnownThings } from './known-things.ts'
import type { Scope } from './scope.ts'

/**
 * Yields the exported messages, by ascending id.
 *
 * @param known collects them, and the files they refer to
 */
export async function* exportedMessages(read: Readers, scope: Scope, known: KnownThings): AsyncIterable<object> {
  const pauses = new Pauses()
  for (let after = 0; ; ) {
    const page = await read.exportedRows.messages(after, scope.lastMessageId)
    const last = page.at(-1)
    if (!last) return
    const messages = await scope.messagesAmong(page)
    yield* await withParts(read, scope, messages, known)
    await pauses.letOthers()
    after = last.id
  }
}

async function withParts(
  read: Readers,
  scope: Scope,
  messages: readonly ExportedMessage[],
  known: KnownThings,
): Promise<object[]> {
  const [first, last] = [messages.at(0), messages.at(-1)]
  if (!first || !last) return []
  const ids = messages.map(({ id }) => id)
  const reactions = await read.reactions.ofMessages(ids)
  const submessages = await read.submessages.ofMessages(ids)
  const files = Map.groupBy(await read.exportedRows.files(first.id, last.id), ({ message_id: id }) => Number(id))
  const isByKnown = ({ id }: { readonly id: number }) => known.has(['user', id])
  return messages.map((message) => {
    const { channel_id, origin_channel_id, direct_group_id, topic, edit_history, ...fields } = message
    const history = JSON.parse(edit_history ?? '[]') as EditHistoryEntry[]
    known.add('message', message.id)
    const ofMessage = (files.get(message.id) ?? []).map(({ attachment_id: id }) => id)
    for (const id of ofMessage) known.add('file', id)
    return {
      ...fields,
      ...booleans(message),
      ...(direct_group_id === null
        ? { channel_id, topic: topic ?? '', ...origin(scope, message) }
        : { recipient_ids: scope.conversation(direct_group_id) }),
      // Readers of this channel's messages may not be allowed to read the other channel.
      edit_history:
        scope.isWhole || channel_id === null ? history : visibleHistory(history, channel_id, (id) => id === channel_id),
      reactions: (reactions.get(message.id) ?? [])
        .filter(({ userId: id }) => isByKnown({ id }))
        .map(({ userId, emoji }) => ({
          user_id: userId,
          emoji_name: emoji.name,
          emoji_code: emoji.code,
          reaction_type: emoji.type,
        })),
      submessages: (submessages.get(message.id) ?? [])
        .filter(({ senderId: id }) => isByKnown({ id }))
        .map(({ id, senderId, msgType, content }) => ({ id, sender_id: senderId, msg_type: msgType, content })),
      attachment_ids: ofMessage,
    }
  })
}

function booleans(message: ExportedMessage) {
  const { is_me_message, has_link, has_image, mentions_channel } = message
  return {
    is_me_message: is_me_message === 1,
    has_link: has_link === 1,
    has_image: has_image === 1,
    mentions_channel: mentions_channel === 1,
  }
}

/**
 * The channel it was sent to, which decides who received it. Null if it was sent to a channel that is not in the
 * archive.
 */
function origin({ isWhole }: Scope, { channel_id: channelId, origin_channel_id: originId }: ExportedMessage) {
  return { origin_channel_id: isWhole || originId === channelId ? originId : null }
}
