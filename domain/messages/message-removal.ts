import type { MessageId, UserId } from '../ids.ts'

/** Where messages are that are to be deleted. */
export interface RemovedKinds {
  readonly ofPublicChannels: boolean
  readonly ofPrivateChannels: boolean
  readonly ofConversations: boolean
}

/** What is to be deleted of what somebody has sent. */
export interface MessageRemoval extends RemovedKinds {
  readonly id: number
  readonly userId: UserId
  /** What was sent later stays. */
  readonly throughId: MessageId
}

/** A message by where it is; `isPrivate` of its channel, null in a conversation. */
export function isRemoved(kinds: RemovedKinds, isPrivate: boolean | null): boolean {
  if (isPrivate === null) return kinds.ofConversations
  return isPrivate ? kinds.ofPrivateChannels : kinds.ofPublicChannels
}
