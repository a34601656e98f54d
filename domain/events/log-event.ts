import type { Event, EventOf, Schemas } from '../../generated/operations.ts'
import type { InheritedNotifications } from '../channels/wire-channel.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../ids.ts'
import type { EmailVisibility } from '../users/email-visibility.ts'
import type { Audience } from './audience.ts'

/**
 * A sent message in the log, stored once for everybody. Data that differs between queues (format, flags, local ID) is
 * stored beside it, and events/adapt.ts fills it in at delivery.
 */
export interface MessageLogEvent {
  readonly type: 'message'
  /** The fullest form: content is HTML, avatar_url a string, an empty topic is ''. */
  readonly message: Omit<Schemas['Message'], 'flags'>
  readonly rawContent: string
  /** Whether a client may compute the avatar's address itself (MSG-FIELD-21). */
  readonly gravatar: boolean
  readonly mentionedUserIds: readonly UserId[]
  readonly mentionsChannel: boolean
  /** Users whom `@**topic**` mentioned: the participants of the topic at that moment. */
  readonly topicMentionedUserIds: readonly UserId[]
  /** Users whose alert words are in it; they are alerted if they receive it. Absent in events of older servers. */
  readonly alertedUserIds?: readonly UserId[]
  /**
   * Users who count as having read it: the sender, if the client says so, and for a notice the users whose settings say
   * so.
   */
  readonly readBy: readonly UserId[]
  /** Recipients who are guests and cannot see the sender. */
  readonly unseenBy?: readonly UserId[]
  /** The queue that gets `local_message_id` back. */
  readonly local: { readonly queueId: string; readonly localId: string } | undefined
}

/** A user who was away is present; each client gets its own format. */
export interface PresenceLogEvent {
  readonly type: 'presence'
  readonly userId: UserId
  /** Address under which the API shows the user. */
  readonly email: string
  /** UNIX seconds, 0 for never. */
  readonly activeAt: number
  readonly connectedAt: number
  /** UNIX seconds with fractions. */
  readonly serverTimestamp: number
}

/** Reserves an ID of the log that parked polls share for their heartbeats, so that no later event gets it. */
export interface TickLogEvent {
  readonly type: 'tick'
}

/** An account has a new API key. Clients are not told; clients with the former key are refused. */
export interface ApiKeyLogEvent {
  readonly type: 'api_key'
  readonly userId: UserId
  /** Number of the account's key that is valid from now on. */
  readonly keyVersion: number
}

/** The organization is active again. Clients are not told, because none was served while it was deactivated. */
export interface OrganizationReturnLogEvent {
  readonly type: 'realm_reactivated'
}

/** An edit in the log, stored once for everybody, with the data for the flags of each user who may be listening. */
export interface UpdateMessageLogEvent {
  readonly type: 'update_message'
  readonly update: Omit<EventOf<'update_message'>, 'type' | 'flags'>
  /**
   * The place where the message was sent, for users who received it; undefined for direct messages, which every member
   * received.
   */
  readonly received: { readonly channelId: ChannelId; readonly messageId: MessageId } | undefined
  readonly mentionsChannel: boolean
  /** Stored flags after the edit, and readers of the message, among users who had an event queue at that moment. */
  readonly storedFlags: readonly (readonly [UserId, number])[]
  readonly readBy: readonly UserId[]
}

/** Deleted messages in the log, in the fullest form: an empty topic is ''. */
export interface DeleteMessageLogEvent {
  readonly type: 'delete_message'
  readonly message_type: 'stream' | 'private'
  readonly message_ids: readonly MessageId[]
  readonly stream_id?: number
  readonly topic?: string
}

/** Events that announce a restored channel, only for clients that do not know archived channels. */
interface OfReturn {
  readonly isOfReturn?: true
}

/** Events about channels that were archived before. Clients that do not know archived channels are not told. */
interface OfArchived {
  readonly isOfArchived?: true
}

/** Channels that became visible. */
export type ChannelCreateLogEvent = EventOf<'stream', 'create'> & OfReturn

/** A change of subscriptions. */
export type SubscriptionLogEvent = (
  | EventOf<'subscription', 'remove' | 'update' | 'peer_add' | 'peer_remove'>
  | SubscriptionAddLogEvent
) &
  OfReturn &
  OfArchived

/** New subscriptions, with the values that null in their settings stands for, for the users who get the event. */
type SubscriptionAddLogEvent = EventOf<'subscription', 'add'> & {
  /** Absent in events of older servers. */
  readonly inherited?: InheritedNotifications
}

/** A change of a channel. */
export type ChannelUpdateLogEvent = EventOf<'stream', 'update'> & OfArchived

/** Channels that are gone. */
export type ChannelDeleteLogEvent = EventOf<'stream', 'delete'> & OfArchived

/** A change of a user group. For clients that do not know deactivated groups, the event is adapted at delivery. */
export type UserGroupLogEvent = Exclude<EventOf<'user_group'>, { op: 'remove' }> & {
  /** The group is deactivated, so clients that do not know deactivated groups are not told. */
  readonly isOfDeactivated?: true
  /** The whole group, which was reactivated: for those clients it is a new one. */
  readonly reactivated?: Schemas['UserGroup']
}

/** A new account with its address, which is left out for users who may not see it. */
export type UserAddLogEvent = EventOf<'realm_user', 'add'> & {
  /** Who sees the address; absent for everybody. */
  readonly emailVisibility?: EmailVisibility
  /** Guests with an event queue who cannot see the account. */
  readonly unseenBy?: readonly UserId[]
}

/** Accounts that become visible to somebody. Clients get an event for each. */
export interface UserShownLogEvent {
  readonly type: 'realm_user'
  readonly op: 'into_sight'
  readonly people: readonly Pick<UserAddLogEvent, 'person' | 'emailVisibility'>[]
}

/** Accounts that are no longer visible to somebody. */
export interface UserHiddenLogEvent {
  readonly type: 'realm_user'
  readonly op: 'out_of_sight'
  readonly userIds: readonly UserId[]
}

/** An event that describes an account beyond its ID, which guests who cannot see the account do not get. */
interface NamesUser {
  readonly unseenBy?: readonly UserId[]
}

/** A reaction. */
export type ReactionLogEvent = EventOf<'reaction'> & NamesUser

/** A typing notification. */
export type TypingLogEvent = EventOf<'typing'> & NamesUser

/** Addresses that a user whose role changed now sees, or no longer sees. Clients get an event for each. */
export interface AddressesLogEvent {
  readonly type: 'realm_user'
  readonly op: 'addresses'
  readonly people: readonly { readonly user_id: UserId; readonly delivery_email: string | null }[]
}

/** The custom profile fields. */
export type ProfileFieldsLogEvent = EventOf<'custom_profile_fields'> & {
  /** Values were deleted with a field or a choice. Clients infer that from the fields. */
  readonly areValuesGone?: true
}

/** Events with a form of their own in the log. */
type OwnForm = { type: 'message' | 'update_message' | 'delete_message' | 'presence' | 'heartbeat' | 'user_group' }

/** Events that are in the log in the form that clients get, or nearly so. */
export type PlainLogEvent = Exclude<Event, OwnForm>

export type UpdateMessageFlagsEvent = Extract<PlainLogEvent, { type: 'update_message_flags' }>

export type LogEvent =
  | MessageLogEvent
  | UpdateMessageLogEvent
  | DeleteMessageLogEvent
  | PresenceLogEvent
  | TickLogEvent
  | ApiKeyLogEvent
  | OrganizationReturnLogEvent
  | SubscriptionLogEvent
  | ChannelCreateLogEvent
  | ChannelUpdateLogEvent
  | ChannelDeleteLogEvent
  | UserGroupLogEvent
  | UserAddLogEvent
  | AddressesLogEvent
  | UserShownLogEvent
  | UserHiddenLogEvent
  | ReactionLogEvent
  | TypingLogEvent
  | ProfileFieldsLogEvent
  | PlainLogEvent

/** A row of the log, read or about to be written. */
export interface LogRecord {
  readonly id: EventId
  /** IDs reserved for the events that one row expands to: `id` to `id + width - 1`. */
  readonly width: number
  readonly type: LogEvent['type']
  readonly audience: Audience
  /** JSON of the event. */
  readonly payload: string
}

/** A row of the log with its parsed JSON. */
export interface LoggedEvent extends LogRecord {
  readonly event: LogEvent
}

export function loggedEvent(record: LogRecord): LoggedEvent {
  return { ...record, event: JSON.parse(record.payload) as LogEvent }
}
