import type { ChannelId } from '../../domain/ids.ts'
import { FLAG } from '../../domain/messages/flags.ts'
import { receivedInChannel } from '../read-state/received.ts'

/** The facts that decide whether one user may see a message (permissions/access-message.ts). */
export interface MessageAccess {
  /**
   * Whether the user received the message: was subscribed when it was sent, is a member of the conversation, or has
   * flagged it since.
   */
  readonly wasReceived: boolean
  /** Null for direct messages. */
  readonly channel: {
    /** The channel it was sent to; a move does not change it. */
    readonly originId: ChannelId
    readonly inviteOnly: boolean
    readonly historyPublicToSubscribers: boolean
    readonly isArchived: boolean
    readonly isSubscribed: boolean
  } | null
}

export interface AccessRow {
  readonly channel_id: number | null
  readonly origin_channel_id: number | null
  readonly invite_only: number | null
  readonly history_public: number | null
  readonly is_archived: number | null
  readonly is_subscribed: number
  /** Whether the user received it when it was sent. Flagging it later does not count. */
  readonly received_when_sent: number
  readonly stored_flags: number | null
}

/**
 * SQL for the columns of an AccessRow for message `m`, its channel `c` and the flags `f` of a user.
 *
 * @param userId SQL for the user's ID; a `?` occurs three times, after those of `isOpen`
 * @param isOpen SQL for channels that need no subscription, so that none is looked up: `is_subscribed` is 0 for them
 */
export function accessColumns(userId: string, isOpen?: string): string {
  return `m.channel_id, m.origin_channel_id, c.invite_only, c.history_public_to_subscribers as history_public, c.is_archived,
  case when m.channel_id is null${isOpen ? ` or ${isOpen}` : ''} then 0 else exists (select 1 from subscription b
    where b.user_id = ${userId} and b.channel_id = m.channel_id and b.is_active = 1) end as is_subscribed,
  case when m.channel_id is null
    then exists (select 1 from direct_group_member g where g.user_id = ${userId} and g.group_id = m.direct_group_id)
    else ${receivedInChannel(userId)} end as received_when_sent,
  f.flags as stored_flags`
}

export function accessOf(row: AccessRow): MessageAccess {
  return {
    wasReceived: row.received_when_sent === 1 || ((row.stored_flags ?? 0) & FLAG.historical) !== 0,
    channel:
      row.channel_id === null
        ? null
        : {
            originId: row.origin_channel_id as ChannelId,
            inviteOnly: row.invite_only === 1,
            historyPublicToSubscribers: row.history_public === 1,
            isArchived: row.is_archived === 1,
            isSubscribed: row.is_subscribed === 1,
          },
  }
}
