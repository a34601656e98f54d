import type { Event, EventOf, Schemas } from '../../generated/operations.ts'
import type { InheritedNotifications } from '../channels/wire-channel.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../ids.ts'
import type { EmailVisibility } from '../users/email-visibility.ts'
import type { Audience } from './audience.ts'

/**
 * A sent message in the log: stored once for everybody, with all that differs from queue to queue beside it
 * (format, flags, local id), which events/adapt.ts puts in at delivery.
 */
export interface MessageLogEvent {
  readonly type: 'message'
  /** As wide as it gets: content is HTML, avatar_url a string, an empty topic is ''. */
  readonly message: Omit<Schemas['Message'], 'flags'>
  readonly rawContent: string
  /** Whether a client may compute the avatar's address itself (MSG-FIELD-21). */
  readonly gravatar: boolean
  readonly mentionedUserIds: readonly UserId[]
  readonly mentionsChannel: boolean
  /** Whom `@**topic**` reached: the participants of the topic at that moment. */
  readonly topicMentionedUserIds: readonly UserId[]
  /** Who is alerted by a word in it, if they receive it. Absent in events of older servers. */
  readonly alertedUserIds?: readonly UserId[]
  /** Who has read it at once: the sender, when the client says that sending is reading, and of a notice whoever wants that. */
  readonly readBy: readonly UserId[]
  /** Guests who receive it and do not see its sender. */
  readonly unseenBy?: readonly UserId[]
  /** The queue that gets `local_message_id` back. */
  readonly local: { readonly queueId: string; readonly localId: string } | undefined
}

/** Somebody who was away is there; each client gets it in the format that it understands. */
export interface PresenceLogEvent {
  readonly type: 'presence'
  readonly userId: UserId
  /** Under which the API knows them. */
  readonly email: string
  /** UNIX seconds, 0 for never. */
  readonly activeAt: number
  readonly connectedAt: number
  /** UNIX seconds with fractions. */
  readonly serverTimestamp: number
}

/** An id in the log that parked polls share for their heartbeats, so that no later event ever gets it. */
export interface TickLogEvent {
  readonly type: 'tick'
}

/** An account has another API key. No client is told; whoever still works with the former one is refused. */
export interface ApiKeyLogEvent {
  readonly type: 'api_key'
  readonly userId: UserId
  /** Which of the account's keys counts from now on. */
  readonly keyVersion: number
}

/** The organization serves again. No client is told: none has been served since it was deactivated. */
export interface OrganizationReturnLogEvent {
  readonly type: 'realm_reactivated'
}

/** An edit in the log: once for everybody, with what makes the flags of each user who may be listening. */
export interface UpdateMessageLogEvent {
  readonly type: 'update_message'
  readonly update: Omit<EventOf<'update_message'>, 'type' | 'flags'>
  /**
   * Where the message was sent, for whoever received it; undefined for direct messages, which everybody there received.
   */
  readonly received: { readonly channelId: ChannelId; readonly messageId: MessageId } | undefined
  readonly mentionsChannel: boolean
  /** Stored flags after the edit, and who has read the message: of people who had an event queue at that moment. */
  readonly storedFlags: readonly (readonly [UserId, number])[]
  readonly readBy: readonly UserId[]
}

/** Deleted messages in the log: as wide as it gets, an empty topic is ''. */
export interface DeleteMessageLogEvent {
  readonly type: 'delete_message'
  readonly message_type: 'stream' | 'private'
  readonly message_ids: readonly MessageId[]
  readonly stream_id?: number
  readonly topic?: string
}

/** Of an event that tells of an archived channel's return: only for clients that do not know archived channels. */
interface OfReturn {
  readonly isOfReturn?: true
}

/** Channels in the log that came into sight. */
export type ChannelCreateLogEvent = EventOf<'stream', 'create'> & OfReturn

/** New subscribers in the log, for others. */
export type PeerAddLogEvent = EventOf<'subscription', 'peer_add'> & OfReturn

/** New subscriptions in the log, with what null stands for in the settings of those who get the event. */
export type SubscriptionAddLogEvent = EventOf<'subscription', 'add'> &
  OfReturn & {
    /** Absent in events of older servers. */
    readonly inherited?: InheritedNotifications
  }

/** Something of a channel changed. */
export type ChannelUpdateLogEvent = EventOf<'stream', 'update'> & {
  /** The channel was archived before, so that clients that do not know such channels hear nothing of it. */
  readonly isOfArchived?: true
}

/** Something about a user group. What leaves the lists of clients that know no groups out of use is made at delivery. */
export type UserGroupLogEvent = Exclude<EventOf<'user_group'>, { op: 'remove' }> & {
  /** The group is out of use, so that clients that do not know such groups hear nothing of it. */
  readonly isOfDeactivated?: true
  /** The whole group, which is in use again: to those clients it is a new one. */
  readonly reactivated?: Schemas['UserGroup']
}

/** A new account in the log: with the address, which the event of those who may not see it does not have. */
export type UserAddLogEvent = EventOf<'realm_user', 'add'> & {
  /** Who sees the address; absent: everybody. */
  readonly emailVisibility?: EmailVisibility
  /** Guests who listen and do not see the account. */
  readonly unseenBy?: readonly UserId[]
}

/** Accounts in the log that come into somebody's sight: an event each for their clients. */
export interface IntoSightLogEvent {
  readonly type: 'realm_user'
  readonly op: 'into_sight'
  readonly people: readonly Pick<UserAddLogEvent, 'person' | 'emailVisibility'>[]
}

/** Accounts in the log that leave somebody's sight. */
export interface OutOfSightLogEvent {
  readonly type: 'realm_user'
  readonly op: 'out_of_sight'
  readonly userIds: readonly UserId[]
}

/** Something in the log that names an account beside its id, as guests who do not see that account are not told. */
interface NamesUser {
  readonly unseenBy?: readonly UserId[]
}

/** A reaction in the log. */
export type ReactionLogEvent = EventOf<'reaction'> & NamesUser

/** In the log: somebody is typing. */
export type TypingLogEvent = EventOf<'typing'> & NamesUser

/** Addresses in the log that somebody whose role changed sees from now on, or no longer: an event each for their clients. */
export interface AddressesLogEvent {
  readonly type: 'realm_user'
  readonly op: 'addresses'
  readonly people: readonly { readonly user_id: UserId; readonly delivery_email: string | null }[]
}

/** The fields that the organization added to profiles. */
export type ProfileFieldsLogEvent = EventOf<'custom_profile_fields'> & {
  /** Values of people went with a field or with a choice. Clients find that out by the fields. */
  readonly areValuesGone?: true
}

/** Events that have a form of their own in the log. */
type OwnForm = { type: 'message' | 'update_message' | 'delete_message' | 'presence' | 'heartbeat' | 'user_group' }

/** Events that are in the log as clients get them, or nearly so. */
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
  | SubscriptionAddLogEvent
  | PeerAddLogEvent
  | ChannelCreateLogEvent
  | ChannelUpdateLogEvent
  | UserGroupLogEvent
  | UserAddLogEvent
  | AddressesLogEvent
  | IntoSightLogEvent
  | OutOfSightLogEvent
  | ReactionLogEvent
  | TypingLogEvent
  | ProfileFieldsLogEvent
  | PlainLogEvent

/** An event as the log's table has it, read or just written. */
export interface LogRecord {
  readonly id: EventId
  /** Ids reserved for what one row expands to: `id` to `id + width - 1`. */
  readonly width: number
  readonly type: LogEvent['type']
  readonly audience: Audience
  /** JSON of the event. */
  readonly payload: string
}

/** A record and what its JSON says. */
export interface LoggedEvent extends LogRecord {
  readonly event: LogEvent
}

export function loggedEvent(record: LogRecord): LoggedEvent {
  return { ...record, event: JSON.parse(record.payload) as LogEvent }
}
