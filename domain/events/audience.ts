import type { ChannelId, MessageId, UserId } from '../ids.ts'
import { ROLE, type Role } from '../users/roles.ts'

/**
 * Describes who may see an event of the log. The description is stored once, never as a row for each recipient. It is
 * evaluated at the event's own position: a channel's subscribers are those of that moment.
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
       * The message of the event, if the channel hides its earlier history. Only users who received the message when it
       * was sent, in the channel it was sent to, get the event.
       */
      readonly received?: { readonly channelId: ChannelId; readonly messageId: MessageId }
    }
  /** Everyone except guests who received the message when it was sent to that channel, subscribed now or not. */
  | {
      readonly to: 'recipients'
      readonly channelId: ChannelId
      readonly messageId: MessageId
      /** If given, users who received any message from the first one up to this one get the event. */
      readonly upTo?: MessageId
      /** Limits the audience to these users. */
      readonly among?: readonly UserId[]
    }
  | { readonly to: 'any'; readonly of: readonly Audience[] }
  | { readonly to: 'difference'; readonly of: Audience; readonly without: Audience }
  /** Nobody: a tick that reserves an ID for heartbeats. */
  | { readonly to: 'nobody' }

export const ADMINISTRATORS: Audience = { to: 'roles', roles: [ROLE.owner, ROLE.administrator] }
