import type { SenderState } from '../../db/repositories/subscriptions.ts'
import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { channelUpdate } from '../../domain/channels/channel-update.ts'
import { ChannelDoesNotExistError } from '../../domain/errors.ts'
import type { Audience } from '../../domain/events/audience.ts'
import type { MessageLogEvent } from '../../domain/events/log-event.ts'
import type { ChannelId, MessageId, UserId } from '../../domain/ids.ts'
import { contentFlags, type FlaggedByContent } from '../../domain/messages/flags.ts'
import { conversationOf, type Message, type Place, toWireMessage } from '../../domain/messages/message.ts'
import type { Submessage } from '../../domain/messages/submessage.ts'
import type { WidgetContent } from '../../domain/messages/widgets.ts'
import { isAvatarComputable, type User } from '../../domain/users/user.ts'
import { sharesHistory } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import { checkDirectMessage } from '../../permissions/direct-messages.ts'
import { channelToSend, checkTopic, hasTopic } from '../../permissions/posting.ts'
import { linkAttachments } from '../attachments/link-attachments.ts'
import { withPresentImages } from '../attachments/show-images.ts'
import { notificationBot } from '../bots/notification-bot.ts'
import { followersOf, knowersOf, otherKnowersOf } from '../channels/channel-audience.ts'
import {
  addMetInConversation,
  announceUsersMet,
  guestsNotSeeing,
  type UsersByViewer,
} from '../users/user-visibility.ts'
import { changeVisibilityBySending } from './automatic-visibility.ts'
import { usersOf } from './direct-recipients.ts'
import { calledBots, checkMentioned, mentionedUserIds } from './mentioned-users.ts'
import type { RenderedText } from './render-content.ts'
import { checkWildcards } from './wildcard-mentions.ts'

export type Destination =
  /** @param topic in stored form: normalized, '' for the empty topic */
  | { readonly kind: 'channel'; readonly channel: ChannelId | string; readonly topic: string }
  /** IDs or addresses; the sender is always a member. */
  | { readonly kind: 'direct'; readonly recipients: readonly (number | string)[] }

export interface SendRequest extends Omit<Content, 'readBy' | 'writer'> {
  readonly destination: Destination
  /** Whether the sender counts as having read it. */
  readonly isReadBySender: boolean
}

interface Content extends RenderedText {
  /** Name of the sending program. */
  readonly client: string
  /** Users who count as having read it. */
  readonly readBy: readonly UserId[]
  readonly local: MessageLogEvent['local']
  /** Poll, task list or form of the message. */
  readonly widget?: WidgetContent | undefined
  /** The user whose files it passes on; by default the sender. */
  readonly writer?: Actor | undefined
}

export interface SentMessage {
  readonly id: MessageId
  /** The sender's new policy for the topic: 2 unmuted, 3 followed; undefined if it did not change. */
  readonly newVisibility: 2 | 3 | undefined
}

/**
 * Sends a message: access check, rows and event in one transaction. Its cost grows with the number of
 * mentioned people, but not with that of subscribers (docs/decisions, "No row per reader").
 *
 * @throws {ChannelDoesNotExistError} if the channel does not exist, or the sender may not know it
 * @throws {NotAuthorizedToSendError}
 */
export async function sendMessage(tx: Tx, sender: Actor, request: SendRequest): Promise<SentMessage> {
  const { destination } = request
  return destination.kind === 'channel'
    ? sendToChannel(tx, sender, request, destination)
    : sendDirect(tx, sender, request, destination.recipients)
}

async function sendToChannel(
  tx: Tx,
  sender: Actor,
  request: SendRequest,
  { channel: wanted, topic }: { channel: ChannelId | string; topic: string },
): Promise<SentMessage> {
  const found = await channelToSend(tx, sender, await tx.start.channel(wanted))
  if (!found) throw new ChannelDoesNotExistError(wanted)
  const { channel, sender: senderState } = found
  await checkTopic(tx, sender, { channel, topic })
  const participants = await checkWildcards(tx, sender, request.rendered, { channelId: channel.id, topic })
  const topicMentionedUserIds = await tx.subscriptions.subscribedAmong(channel.id, participants)
  // A topic of which the sender can read nothing is new to them.
  const isHiddenTopic = !sharesHistory(channel) && !(await hasTopic(tx, sender, { channel, topic }))
  const posting = { channel, topic, topicMentionedUserIds, following: { senderState, isHiddenTopic } }
  return post(tx, sender, contentOf(sender, request), posting)
}

/** A message of the server itself. It is sent without a permission check, and mentions nobody. */
interface Notice extends RenderedText {
  readonly channel: Channel
  readonly topic: string
  /** Users who count as having read it. */
  readonly readBy?: readonly UserId[]
  /** The user whose files it passes on; by default it passes on none, because the notification bot may read none. */
  readonly writer?: Actor
}

/** Sends a message to a channel as the notification bot: in the empty topic if the channel has no other. */
export async function sendNotice(tx: Tx, { channel, topic, ...notice }: Notice): Promise<void> {
  const bot = await notificationBot(tx)
  const place = { channel, topic: channel.topicsPolicy === 'empty_topic_only' ? '' : topic }
  await post(tx, bot, contentOfNotice(notice), { ...place, topicMentionedUserIds: [] })
}

/** Sends a direct message as the notification bot. */
export async function sendDirectNotice(
  tx: Tx,
  { to, ...notice }: RenderedText & Pick<Notice, 'writer'> & { readonly to: User },
): Promise<MessageId> {
  const bot = await notificationBot(tx)
  return postDirect(tx, bot, contentOfNotice(notice), [to])
}

function contentOfNotice({ readBy = [], ...notice }: Omit<Notice, 'channel' | 'topic'>): Content {
  // A greeting or the note of a reminder is a user's text. A group in it that the bot may not mention must not stop it.
  const nobody = { mentionedUserIds: new Set<UserId>(), mentionedGroupIds: new Set<number>(), channelWildcard: false }
  const rendered = { ...notice.rendered, ...nobody }
  return { ...notice, rendered, client: 'Internal', readBy, local: undefined }
}

interface Posting {
  readonly channel: Channel
  readonly topic: string
  readonly topicMentionedUserIds: readonly UserId[]
  /** Undefined for notices, which change nobody's policy for the topic. */
  readonly following?: { readonly senderState: SenderState; readonly isHiddenTopic: boolean }
}

/** Stores a message in a channel, and tells its recipients. */
async function post(
  tx: Tx,
  sender: Actor,
  { rendered, ...content }: Content,
  { channel, topic, topicMentionedUserIds, following }: Posting,
): Promise<SentMessage> {
  const request = { ...content, rendered: await withPresentImages(tx, rendered) }
  // Locks the counter first: all writers of messages queue there, so no two of them lock topics in opposite order.
  const id = await tx.events.nextMessageId()
  const { id: topicId, isNew } = await tx.topics.touch(channel.id, topic, id)
  const place: Place = { kind: 'channel', channelId: channel.id, channelName: channel.name, topic }
  const named = await mentionedUserIds(tx, sender, request.rendered)
  const mentioned = await tx.subscriptions.subscribedAmong(channel.id, named)
  const mentionedBots = await calledBots(tx, channel, named, new Set(mentioned))
  const flagged: FlaggedByContent = {
    mentioned,
    mentionedBots,
    topicMentioned: topicMentionedUserIds,
    alerted: await tx.subscriptions.subscribedAmong(channel.id, request.alertedUserIds),
  }
  checkMentioned(tx, sender, [...mentioned, ...mentionedBots])
  const stored = { kind: 'channel' as const, channelId: channel.id, topicId }
  const sentAt = tx.organization.now
  const submessages = await insert(tx, { id, sender, sentAt }, request, stored, flagged)
  const receivers: Audience = { to: 'channel', channelId: channel.id, isPublic: !channel.inviteOnly }
  const audience: Audience =
    mentionedBots.length === 0 ? receivers : { to: 'any', of: [receivers, { to: 'users', userIds: mentionedBots }] }
  const unseenBy = await guestsNotSeeing(tx, sender, channel.id)
  // Clients decide by the policy what to do with the message, so they hear of it first.
  const newVisibility =
    following &&
    (await changeVisibilityBySending(tx, sender, following.senderState, {
      channelId: channel.id,
      topic,
      mentionedUserIds: mentioned,
      startsTopic: following.isHiddenTopic || (isNew && !(await tx.topics.hasOtherSpellings(channel.id, topic))),
    }))
  append(tx, messageOf({ id, sender, sentAt }, place, request, submessages), request, { flagged, audience, unseenBy })
  tx.search.add(id, { topic, content: request.content, renderedContent: request.rendered.html })
  if (channel.firstMessageId === null) await beginChannel(tx, channel, id)
  if (!channel.isRecentlyActive) await wake(tx, channel)
  return { id, newVisibility }
}

/** First message of a channel: announced to those who know the channel without receiving its messages (level 256). */
async function beginChannel(tx: Tx, channel: Channel, id: MessageId): Promise<void> {
  await tx.channels.setFirstMessage(channel.id, id)
  const others = await otherKnowersOf(tx, channel)
  tx.events.append(channelUpdate(channel, 'first_message_id', id), {
    to: 'difference',
    of: others,
    without: followersOf(channel.id),
  })
}

/** Unhides a channel that was hidden because nobody wrote there (SUB-FIELD-38). */
async function wake(tx: Tx, channel: Channel): Promise<void> {
  await tx.channels.wake(channel.id)
  tx.events.append(channelUpdate(channel, 'is_recently_active', true), await knowersOf(tx, channel))
}

async function sendDirect(
  tx: Tx,
  sender: Actor,
  request: SendRequest,
  recipients: readonly (number | string)[],
): Promise<SentMessage> {
  const users = await usersOf(tx, sender, recipients)
  await checkDirectMessage(tx, sender, users)
  return { id: await postDirect(tx, sender, contentOf(sender, request), users), newVisibility: undefined }
}

/** Stores a message in the conversation with `users`, and tells its members. */
async function postDirect(
  tx: Tx,
  sender: Actor,
  { rendered, ...content }: Content,
  users: readonly User[],
): Promise<MessageId> {
  const request = { ...content, rendered: await withPresentImages(tx, rendered) }
  const memberIds = conversationOf(
    sender.id,
    users.map((user) => user.id),
  )
  const members = [sender, ...users.filter((user) => user.id !== sender.id)].toSorted((a, b) => a.id - b.id)

  const id = await tx.events.nextMessageId()
  const met: UsersByViewer = new Map()
  const known = await tx.directGroups.find(memberIds)
  if (known === undefined) await addMetInConversation(tx, met, members)
  const groupId = known ?? (await tx.directGroups.make(memberIds))
  await announceUsersMet(tx, met)
  const received = (userIds: Iterable<UserId>) => [...userIds].filter((userId) => memberIds.includes(userId))
  const flagged: FlaggedByContent = {
    mentioned: received(await mentionedUserIds(tx, sender, request.rendered)),
    topicMentioned: [],
    alerted: received(request.alertedUserIds),
  }
  const sentAt = tx.organization.now
  const submessages = await insert(tx, { id, sender, sentAt }, request, { kind: 'direct', groupId }, flagged)
  const message = messageOf({ id, sender, sentAt }, { kind: 'direct', groupId, members }, request, submessages)
  append(tx, message, request, { flagged, audience: { to: 'users', userIds: memberIds }, unseenBy: [] })
  tx.search.add(id, { topic: null, content: request.content, renderedContent: request.rendered.html })
  return id
}

function contentOf(sender: Actor, { isReadBySender, ...content }: SendRequest): Content {
  return { ...content, readBy: isReadBySender ? [sender.id] : [] }
}

/** Sender and time, which row and event share. */
type Origin = Pick<Message, 'id' | 'sentAt'> & { readonly sender: Actor }

function messageOf(
  { id, sender, sentAt }: Origin,
  place: Place,
  { content, rendered, client }: Content,
  submessages: readonly Submessage[],
): Message {
  return {
    id,
    sender,
    place,
    content,
    renderedContent: rendered.html,
    sentAt,
    client,
    isMeMessage: rendered.isMeMessage,
    reactions: [],
    lastEditedAt: null,
    lastMovedAt: null,
    editHistory: null,
    submessages,
  }
}

/** Inserts the rows of a new message. Returns the rows of its widget. */
async function insert(
  tx: Tx,
  { id, sender, sentAt }: Origin,
  { content, rendered, client, readBy, widget, writer = sender }: Content,
  place: Parameters<Tx['messages']['insert']>[0]['place'],
  flagged: FlaggedByContent,
): Promise<Submessage[]> {
  const marks = await linkAttachments(tx, id, rendered.attachmentPathIds, writer)
  await tx.messages.insert({
    id,
    senderId: sender.id,
    place,
    sentAt,
    client,
    isMeMessage: rendered.isMeMessage,
    hasLink: rendered.hasLink,
    ...marks,
    mentionsChannel: rendered.channelWildcard,
    content,
    renderedContent: rendered.html,
  })
  await tx.readState.insertFlags(id, contentFlags(flagged))
  if (readBy.length > 0) await tx.readState.markReadByAll(readBy, [id])
  if (!widget) return []
  return [
    await tx.submessages.insert({
      messageId: id,
      senderId: sender.id,
      msgType: 'widget',
      content: JSON.stringify(widget),
    }),
  ]
}

interface Listeners {
  readonly flagged: FlaggedByContent
  readonly audience: Audience
  /** Members of the audience who cannot see the sender. */
  readonly unseenBy: readonly UserId[]
}

function append(
  tx: Tx,
  message: Message,
  { content, rendered, readBy, local }: Content,
  { flagged: { mentioned, mentionedBots = [], topicMentioned, alerted }, audience, unseenBy }: Listeners,
): void {
  const format = {
    applyMarkdown: true,
    clientGravatar: false,
    allowEmptyTopicName: true,
    realmStringId: tx.organization.stringId,
    // The log keeps the contract's words.
    wireValues: 'contract' as const,
    editHistoryPolicy: 'none' as const, // A new message has no history.
    linkifiers: tx.organization.linkifiers,
  }
  tx.events.append(
    {
      type: 'message',
      message: toWireMessage(message, format),
      rawContent: content,
      gravatar: isAvatarComputable(message.sender),
      mentionedUserIds: [...mentioned, ...mentionedBots],
      mentionsChannel: rendered.channelWildcard,
      topicMentionedUserIds: topicMentioned,
      ...(alerted.length > 0 && { alertedUserIds: alerted }),
      readBy,
      ...(unseenBy.length > 0 && { unseenBy }),
      local,
    },
    audience,
  )
}
