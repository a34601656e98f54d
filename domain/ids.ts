/** Branded IDs, so that the compiler tells a channel ID from a user ID. All are positive integers. */
type Id<Name extends string> = number & { readonly __brand: Name }

export type UserId = Id<'UserId'>
export type ChannelId = Id<'ChannelId'>
export type TopicId = Id<'TopicId'>
export type MessageId = Id<'MessageId'>
/** A set of users who exchange direct messages; one user alone for notes to oneself. */
export type DirectGroupId = Id<'DirectGroupId'>
/** Position in the event log; also the event's `id` for clients. */
export type EventId = Id<'EventId'>

/** Returns each once, ascending. */
export function ascending<One extends number>(ids: Iterable<One>): One[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** IDs in requests may be larger than the databases accept. */
export const MAX_ID = 4_294_967_295

/**
 * `recipient_id` of a message (MSG-FIELD-25): one number space for channels (even numbers) and direct message groups
 * (odd numbers), so that no table has to assign it.
 */
export function recipientIdOfChannel(channelId: ChannelId): number {
  return channelId * 2
}
export function recipientIdOfDirectGroup(groupId: DirectGroupId): number {
  return groupId * 2 + 1
}
