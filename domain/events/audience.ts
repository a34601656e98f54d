import type { ChannelId, MessageId, UserId } from '../ids.ts'
import { ROLE, type Role } from '../users/roles.ts'

/**
 * Who may see an event of the log: a description stored once, never a row for each recipient. It is evaluated at the
 * event's own position: a channel's subscribers are those of that moment.
 */
export type Audience =
  | { readonly to: 'everyone' }
  /** Everyone except guests. */
  | { readonly to: 'members' }
  /** Everyone with one of these roles. */
  | { readonly to: 'roles'; readonly roles: readonly Role[] }
  | { readonly to: 'users'; readonly userIds: readonly UserId[] }
  | {
      readonly to: 'channel'
      readonly channelId: ChannelId
      /**
       * Whether users without a subscription may read the channel: queues with all_public_streams get the event too.
       */
      readonly isPublic: boolean
      /**
       * If the channel hides its earlier history: the message of the event. Only users who received it when it was
       * sent, in the channel it was sent to, get the event.
       */
      readonly received?: { readonly channelId: ChannelId; readonly messageId: MessageId }
    }
  /** Everyone except guests who received the message when it was sent to that channel, subscribed now or not. */
  | {
      readonly to: 'recipients'
      readonly channelId: ChannelId
      readonly messageId: MessageId
      /** Instead of one message: any from it to this one. */
      readonly upTo?: MessageId
      /** Of these users only. */
      readonly among?: readonly UserId[]
    }
  | { readonly to: 'any'; readonly of: readonly Audience[] }
  | { readonly to: 'difference'; readonly of: Audience; readonly without: Audience }
  /** Nobody: a tick that reserves an ID for heartbeats. */
  | { readonly to: 'nobody' }

export const ADMINISTRATORS: Audience = { to: 'roles', roles: [ROLE.owner, ROLE.administrator] }
