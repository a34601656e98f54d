interface Conversation {
  max_message_id: number
  readonly user_ids: readonly number[]
}

export interface RecentDirectFields {
  recent_private_conversations: Conversation[]
}

/** Returns a key that is the same for the same people. */
export function keyOf({ user_ids: ids }: Pick<Conversation, 'user_ids'>): string {
  return ids.toSorted((a, b) => a - b).join(',')
}

/** Moves the conversation of a direct message to the front of the list. */
export function noteConversation(
  state: RecentDirectFields & { readonly user_id: number },
  message: { readonly id: number; readonly type: string; readonly display_recipient: unknown },
): void {
  if (message.type !== 'private') return
  const members = message.display_recipient as readonly { readonly id: number }[]
  const user_ids = members.map(({ id }) => id).filter((id) => id !== state.user_id)
  const others = state.recent_private_conversations.filter((one) => keyOf(one) !== keyOf({ user_ids }))
  state.recent_private_conversations = [{ max_message_id: message.id, user_ids }, ...others]
}
