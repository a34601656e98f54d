import { type Emoji, toWireEmoji } from '../emoji/emoji.ts'
import {
  ascending,
  type ChannelId,
  type DirectGroupId,
  type MessageId,
  recipientIdOfChannel,
  recipientIdOfDirectGroup,
  type UserId,
} from '../ids.ts'
import type { Linkifiers } from '../linkifiers/linkifiers.ts'
import type { OrganizationSettings } from '../organization/organization-settings.ts'
import { topicForOutput } from '../topics/topics.ts'
import { apiEmail, avatarUrl, isAvatarComputable, type Sender, type User } from '../users/user.ts'
import type { WireValues } from '../wire-values.ts'
import { type Submessage, toWireSubmessage } from './submessage.ts'

/** Place of a message: a channel with a topic, or a conversation with its members. */
export type Place =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly channelName: string; readonly topic: string }
  | {
      readonly kind: 'direct'
      readonly groupId: DirectGroupId
      /** By ascending ID, including the sender. */
      readonly members: readonly Pick<User, 'id' | 'email' | 'standInEmail' | 'fullName'>[]
    }

/** One entry of `edit_history`, as stored and as sent (MSG-HIST-1 to MSG-HIST-10). */
export interface EditHistoryEntry {
  readonly user_id: number | null
  readonly timestamp: number
  readonly prev_content?: string
  readonly prev_rendered_content?: string
  readonly prev_stream?: number
  readonly stream?: number
  readonly prev_topic?: string
  readonly topic?: string
}

export interface Reaction {
  readonly userId: UserId
  readonly emoji: Emoji
}

export interface Message {
  readonly id: MessageId
  readonly sender: Sender
  readonly place: Place
  /** Markdown, and its HTML. */
  readonly content: string
  readonly renderedContent: string
  /** UNIX seconds. */
  readonly sentAt: number
  readonly client: string
  readonly isMeMessage: boolean
  /** Oldest first. */
  readonly reactions: readonly Reaction[]
  readonly lastEditedAt: number | null
  readonly lastMovedAt: number | null
  /** Newest first; null if never edited or moved. */
  readonly editHistory: readonly EditHistoryEntry[] | null
  /** Data of its widget, in the order in which it was added. */
  readonly submessages: readonly Submessage[]
}

/** Values of `message_edit_history_visibility_policy`: which former versions are visible. */
export type EditHistoryPolicy = OrganizationSettings['message_edit_history_visibility_policy']

/** Returns the part of `history` that a caller sees, with the empty topic in the caller's form (EMPTY-9). */
function shownEditHistory(
  history: readonly EditHistoryEntry[] | null,
  { editHistoryPolicy, allowEmptyTopicName }: Pick<MessageFormat, 'editHistoryPolicy' | 'allowEmptyTopicName'>,
): EditHistoryEntry[] {
  const visible = visibleEditHistory(history, editHistoryPolicy)
  if (allowEmptyTopicName) return visible
  return visible.map((entry) => {
    const { topic, prev_topic: former } = entry
    if (topic === undefined) return entry
    const named = { ...entry, topic: topicForOutput(topic, false) }
    return former === undefined ? named : { ...named, prev_topic: topicForOutput(former, false) }
  })
}

/** Returns the part of `history` that the organization shows: everything, only moves, or nothing (MSG-FIELD-36). */
export function visibleEditHistory(
  history: readonly EditHistoryEntry[] | null,
  policy: EditHistoryPolicy,
): EditHistoryEntry[] {
  if (policy === 'none' || !history) return []
  if (policy === 'all') return [...history]
  return history
    .filter((entry) => entry.topic !== undefined || entry.stream !== undefined)
    .map(({ prev_content: _, prev_rendered_content: __, ...move }) => move)
}

/** The form in which a caller wants messages. */
export interface MessageFormat {
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly allowEmptyTopicName: boolean
  /** `sender_realm_str` (MSG-FIELD-19). */
  readonly realmStringId: string
  readonly wireValues: WireValues
  readonly editHistoryPolicy: EditHistoryPolicy
  /** Linkifiers for topics. */
  readonly linkifiers: Linkifiers
}

/** Returns the fields for the place, including the links that linkifiers find (MSG-FIELD-9, MSG-FIELD-10). */
export function placeFields(place: Place, { allowEmptyTopicName, linkifiers }: MessageFormat) {
  return place.kind === 'channel'
    ? {
        type: 'stream' as const,
        stream_id: place.channelId as number,
        subject: topicForOutput(place.topic, allowEmptyTopicName),
        display_recipient: place.channelName,
        recipient_id: recipientIdOfChannel(place.channelId),
        topic_links: [...linkifiers.topicLinks(place.topic)],
      }
    : {
        type: 'private' as const,
        subject: '',
        display_recipient: place.members.map((member) => ({
          id: member.id as number,
          email: apiEmail(member),
          full_name: member.fullName,
          is_mirror_dummy: false,
        })),
        recipient_id: recipientIdOfDirectGroup(place.groupId),
        topic_links: [],
      }
}

/** Returns the fields for the sender of a message. */
export function senderFields(sender: Sender, format: Pick<MessageFormat, 'realmStringId' | 'clientGravatar'>) {
  return {
    sender_id: sender.id as number,
    sender_email: apiEmail(sender),
    sender_full_name: sender.fullName,
    sender_realm_str: format.realmStringId,
    avatar_url: format.clientGravatar && isAvatarComputable(sender) ? null : avatarUrl(sender),
  }
}

/** Returns the fields that other messages do not share. */
export function ownFields(message: Message, format: MessageFormat) {
  const editHistory = shownEditHistory(message.editHistory, format)
  return {
    id: message.id,
    content: format.applyMarkdown ? message.renderedContent : message.content,
    content_type: format.applyMarkdown ? ('text/html' as const) : ('text/x-markdown' as const),
    timestamp: message.sentAt,
    client: message.client,
    is_me_message: message.isMeMessage,
    reactions: message.reactions.map(({ emoji, userId }) => ({
      ...toWireEmoji(emoji, format.wireValues),
      user_id: userId as number,
    })),
    submessages: message.submessages.map(toWireSubmessage),
    ...(editHistory.length > 0 && { edit_history: editHistory }),
    ...(message.lastEditedAt !== null && { last_edit_timestamp: message.lastEditedAt }),
    ...(message.lastMovedAt !== null && { last_moved_timestamp: message.lastMovedAt }),
  }
}

/** The Message object of the API without `flags` (openapi: `Message`). As JSON: message-json.ts. */
export function toWireMessage(message: Message, format: MessageFormat) {
  const { place, sender } = message
  return { ...placeFields(place, format), ...senderFields(sender, format), ...ownFields(message, format) }
}

/** Returns the sorted members of a direct conversation, including the sender. */
export function conversationOf(senderId: UserId, recipientIds: readonly UserId[]): UserId[] {
  return ascending([senderId, ...recipientIds])
}
