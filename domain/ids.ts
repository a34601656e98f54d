/** Branded ids: a channel id is no user id, and the compiler knows it. All are positive integers. */
type Id<Name extends string> = number & { readonly __brand: Name }

export type UserId = Id<'UserId'>
export type ChannelId = Id<'ChannelId'>
export type TopicId = Id<'TopicId'>
export type MessageId = Id<'MessageId'>
/** A set of people who exchange direct messages; one person alone for notes to oneself. */
export type DirectGroupId = Id<'DirectGroupId'>
/** Position in the event log; also the `id` of the event that clients see. */
export type EventId = Id<'EventId'>

/** Each of these once, the least first. */
export function ascending<One extends number>(ids: Iterable<One>): One[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** The id in a request may be larger than any that the databases take. */
export const MAX_ID = 4_294_967_295

/**
 * `recipient_id` of a message (MSG-FIELD-25): one number space for channels and direct-message groups,
 * even for channels and odd for groups, so that no table has to hand it out.
 */
export function recipientIdOfChannel(channelId: ChannelId): number {
  return channelId * 2
}
export function recipientIdOfDirectGroup(groupId: DirectGroupId): number {
  return groupId * 2 + 1
}
