import type { StatePart } from './state-request.ts'

/** The number that a client shows. For older conversations, clients read the history. */
const MAX_CONVERSATIONS = 1000

/** Fetch type `recent_private_conversations`: the newest first. */
export const part: StatePart = async (read, actor, { isWanted, pauses }) => {
  if (!isWanted('recent_private_conversations')) return {}
  const recent = await read.directGroups.recentOf(actor.id, MAX_CONVERSATIONS)
  const members = await read.directGroups.members(
    recent.map(({ id }) => id),
    pauses,
  )
  return {
    recent_private_conversations: recent.map(({ id, maxMessageId }) => ({
      max_message_id: maxMessageId,
      user_ids: (members.get(id) ?? []).filter((userId) => userId !== actor.id),
    })),
  }
}
