import type { MessageId, UserId } from '../ids.ts'

/** The kinds of messages to delete, by place. */
export interface RemovedKinds {
  readonly ofPublicChannels: boolean
  readonly ofPrivateChannels: boolean
  readonly ofConversations: boolean
}

/** Messages of a user that are to be deleted. */
export interface MessageRemoval extends RemovedKinds {
  readonly id: number
  readonly userId: UserId
  /** Later messages stay. */
  readonly throughId: MessageId
}

/** Whether to delete a message. `isPrivate` is about its channel, and null in a conversation. */
export function isRemoved(kinds: RemovedKinds, isPrivate: boolean | null): boolean {
  if (isPrivate === null) return kinds.ofConversations
  return isPrivate ? kinds.ofPrivateChannels : kinds.ofPublicChannels
}
