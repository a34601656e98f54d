import type { ChannelId, MessageId, UserId } from '../ids.ts'
import { ROLE, type Role } from '../users/roles.ts'

/**
 * Who may see an event of the log: a description, stored once, never a row a recipient.
 * It is read at the event's own position: a channel's subscribers are those of that moment.
 */
export type Audience =
  | { readonly to: 'everyone' }
  /** Everyone but guests. */
  | { readonly to: 'members' }
  /** Everyone who has one of these roles. */
  | { readonly to: 'roles'; readonly roles: readonly Role[] }
  | { readonly to: 'users'; readonly userIds: readonly UserId[] }
  | {
      readonly to: 'channel'
      readonly channelId: ChannelId
      /** Whether people who are not subscribed may read the channel: queues with all_public_streams get it too. */
      readonly isPublic: boolean
      /**
       * Where the channel hides what was sent before somebody's time: the message that the event is about. Only those
       * who got it when it was sent, in the channel where that was, hear of it.
       */
      readonly received?: { readonly channelId: ChannelId; readonly messageId: MessageId }
    }
  /** Everyone but guests who got the message when it was sent to that channel, whether they follow it now or not. */
  | {
      readonly to: 'recipients'
      readonly channelId: ChannelId
      readonly messageId: MessageId
      /** Instead of that one message: any from it to this one. */
      readonly upTo?: MessageId
      /** Of these only. */
      readonly among?: readonly UserId[]
    }
  | { readonly to: 'any'; readonly of: readonly Audience[] }
  | { readonly to: 'difference'; readonly of: Audience; readonly without: Audience }
  /** Nobody: a tick that keeps an id for heartbeats. */
  | { readonly to: 'nobody' }

export const ADMINISTRATORS: Audience = { to: 'roles', roles: [ROLE.owner, ROLE.administrator] }
