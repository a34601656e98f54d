import type { Readers, Tx } from '../db/database.ts'
import type { Audience } from '../domain/audience.ts'
import {
  BadRequestError,
  ChannelWildcardMentionError,
  TopicPolicyError,
  TopicWildcardMentionError,
} from '../domain/errors.ts'
import { FLAG } from '../domain/flags.ts'
import type { ChannelId, MessageId, UserId } from '../domain/ids.ts'
import type { MessageLogEvent } from '../domain/log-event.ts'
import type { RenderedMessage } from '../domain/markdown/render.ts'
import { conversationOf, type Message, type Place, toWireMessage } from '../domain/message.ts'
import type { Organization } from '../domain/organization-settings.ts'
import { emailKey } from '../domain/text-keys.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../domain/topics.ts'
import type { User } from '../domain/user.ts'
import { accessChannelToSend } from '../permissions/access-channel.ts'
import type { Actor } from '../permissions/actor.ts'
import { isInGroup } from '../permissions/groups.ts'
import { linkAttachments } from './link-attachments.ts'

export type Destination =
  /** @param topic as it is stored: normalized, '' for the empty topic */
  | { readonly kind: 'channel'; readonly channel: number | string; readonly topic: string }
  /** Ids or addresses; the sender is always part of the conversation. */
  | { readonly kind: 'direct'; readonly recipients: readonly (number | string)[] }

export interface SendRequest {
  readonly destination: Destination
  /** Normalized Markdown, and what it renders to. */
  readonly content: string
  readonly rendered: RenderedMessage<UserId>
  /** Who is alerted by a word in it, if they receive it. */
  readonly alertedUserIds: readonly UserId[]
  /** Name of the sending program. */
  readonly client: string
  /** Whether sending it means that the sender has read it. */
  readonly isReadBySender: boolean
  readonly local: MessageLogEvent['local']
}

export interface SendingContext {
  readonly organization: Organization
  /** UNIX seconds. */
  readonly now: number
}

/** Who of those that receive a message gets which flag. */
interface Flagged {
  readonly mentioned: readonly UserId[]
  readonly topicMentioned: readonly UserId[]
  readonly alerted: readonly UserId[]
}

/** More subscribers or participants than this make a wildcard mention a matter of permission (LIMIT-21). */
const MANY_USERS = 15
/** Participants of a topic that a topic wildcard reaches; more are not looked for. */
const MAX_PARTICIPANTS = 1000
/** People of a conversation, the sender among them: its members are rows, and stand in every event and answer. */
const MAX_MEMBERS = 500
const DAY_SECONDS = 86_400

/**
 * Sends a message: access, rows and event in one transaction. Its cost does not grow with the number of subscribers
 * (architecture decision 3).
 * @throws {ChannelDoesNotExistError} no such channel, or none that the sender may send to
 */
export async function sendMessage(
  tx: Tx,
  sender: Actor,
  request: SendRequest,
  context: SendingContext,
): Promise<MessageId> {
  const { destination } = request
  return destination.kind === 'channel'
    ? sendToChannel(tx, sender, request, destination, context)
    : sendDirect(tx, sender, request, destination.recipients, context)
}

async function sendToChannel(
  tx: Tx,
  sender: Actor,
  request: SendRequest,
  { channel: wanted, topic }: { channel: number | string; topic: string },
  context: SendingContext,
): Promise<MessageId> {
  const { channel } = await accessChannelToSend(tx, sender, wanted)
  const policy = channel.topicsPolicy === 'inherit' ? context.organization.settings.topics_policy : channel.topicsPolicy
  if (policy === 'disable_empty_topic' && (topic === '' || topic === '(no topic)')) {
    throw new TopicPolicyError('empty topic refused', EMPTY_TOPIC_DISPLAY_NAME)
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw new TopicPolicyError('only the empty topic', EMPTY_TOPIC_DISPLAY_NAME)
  }
  const topicMentionedUserIds = await checkWildcards(tx, sender, request, { channelId: channel.id, topic }, context)

  // The counter first: every writer of messages waits there, so none holds a topic that another, further ahead, wants.
  const id = await tx.events.nextMessageId()
  const topicId = await tx.topics.touch(channel.id, topic, id)
  const place: Place = { kind: 'channel', channelId: channel.id, channelName: channel.name, topic }
  // Only who receives a message can be mentioned by it.
  const flagged: Flagged = {
    mentioned: await tx.subscriptions.subscribedAmong(channel.id, await mentionedUserIds(tx, request, context)),
    topicMentioned: topicMentionedUserIds,
    alerted: await tx.subscriptions.subscribedAmong(channel.id, request.alertedUserIds),
  }
  await insert(tx, id, sender, request, context, { kind: 'channel', channelId: channel.id, topicId }, flagged)
  append(tx, messageOf(id, sender, place, request, context), request, flagged, context, {
    to: 'channel',
    channelId: channel.id,
    isPublic: !channel.inviteOnly,
  })
  tx.search.add(id, { topic, content: request.content, renderedContent: request.rendered.html })
  return id
}

async function sendDirect(
  tx: Tx,
  sender: Actor,
  request: SendRequest,
  recipients: readonly (number | string)[],
  context: SendingContext,
): Promise<MessageId> {
  refuseTooMany(sender, recipients)
  const users = await usersOf(tx, recipients)
  const memberIds = conversationOf(
    sender.id,
    users.map((user) => user.id),
  )
  const members = [sender, ...users.filter((user) => user.id !== sender.id)].toSorted((a, b) => a.id - b.id)

  const id = await tx.events.nextMessageId()
  const groupId = await tx.directGroups.findOrMake(memberIds)
  const received = (userIds: Iterable<UserId>) => [...userIds].filter((userId) => memberIds.includes(userId))
  const flagged: Flagged = {
    mentioned: received(await mentionedUserIds(tx, request, context)),
    topicMentioned: [],
    alerted: received(request.alertedUserIds),
  }
  await insert(tx, id, sender, request, context, { kind: 'direct', groupId }, flagged)
  const message = messageOf(id, sender, { kind: 'direct', groupId, members }, request, context)
  append(tx, message, request, flagged, context, { to: 'users', userIds: memberIds })
  tx.search.add(id, { topic: null, content: request.content, renderedContent: request.rendered.html })
  return id
}

/** Before anybody is looked up: the cost of a message must not be the sender's to choose. */
function refuseTooMany(sender: Actor, recipients: readonly (number | string)[]): void {
  const others = new Set(recipients.map((one) => (typeof one === 'number' ? one : emailKey(one))))
  others.delete(sender.id)
  others.delete(emailKey(sender.email))
  if (others.size >= MAX_MEMBERS) throw new BadRequestError(`A conversation has at most ${MAX_MEMBERS} people`)
}

/** The people a direct message is for; each one exists and is active. */
async function usersOf(read: Readers, recipients: readonly (number | string)[]): Promise<User[]> {
  if (recipients.length === 0) throw new BadRequestError('Message must have recipients')
  const ids = recipients.filter((one) => typeof one === 'number')
  const emails = recipients.filter((one) => typeof one === 'string')
  const byId = new Map((await read.users.byIds(ids as UserId[])).map((user) => [user.id as number, user]))
  const byEmail = new Map((await read.users.byEmails(emails)).map((user) => [emailKey(user.email), user]))
  const users = recipients.map((one) => {
    const user = typeof one === 'number' ? byId.get(one) : byEmail.get(emailKey(one))
    if (!user) throw new BadRequestError(typeof one === 'number' ? `Invalid user ID ${one}` : `Invalid email '${one}'`)
    if (!user.isActive) throw new BadRequestError(`'${user.fullName}' is deactivated and receives no messages`)
    return user
  })
  return [...new Map(users.map((user) => [user.id, user])).values()]
}

/** Everybody mentioned, by name or as a member of a group, each once. */
async function mentionedUserIds(
  read: Readers,
  { rendered }: SendRequest,
  { organization, now }: SendingContext,
): Promise<UserId[]> {
  const newSince = now - organization.settings.waiting_period_threshold * DAY_SECONDS
  const members = await read.userGroups.memberIds([...rendered.mentionedGroupIds], newSince)
  return [...new Set([...rendered.mentionedUserIds, ...members])]
}

/** Who a topic wildcard reaches. @throws where so many may not be notified by this sender */
async function checkWildcards(
  tx: Tx,
  sender: Actor,
  { rendered }: SendRequest,
  { channelId, topic }: { channelId: ChannelId; topic: string },
  { organization, now }: SendingContext,
): Promise<UserId[]> {
  if (!rendered.channelWildcard && !rendered.topicWildcard) return []
  const mayMentionMany = isInGroup(organization.settings.can_mention_many_users_group, sender, organization, now)
  if (rendered.channelWildcard && !mayMentionMany) {
    const subscribers = await tx.subscriptions.countSubscribers(channelId, MANY_USERS + 1)
    if (subscribers > MANY_USERS) throw new ChannelWildcardMentionError()
  }
  if (!rendered.topicWildcard) return []
  const participants = await tx.topics.participants(channelId, topic, MAX_PARTICIPANTS)
  if (participants.length > MANY_USERS && !mayMentionMany) throw new TopicWildcardMentionError()
  return tx.subscriptions.subscribedAmong(channelId, [...participants, sender.id] as UserId[])
}

function messageOf(
  id: MessageId,
  sender: Actor,
  place: Place,
  { content, rendered, client }: SendRequest,
  { now }: SendingContext,
): Message {
  return {
    id,
    sender,
    place,
    content,
    renderedContent: rendered.html,
    sentAt: now,
    client,
    isMeMessage: rendered.isMeMessage,
    reactions: [],
    lastEditedAt: null,
    lastMovedAt: null,
    editHistory: null,
  }
}

async function insert(
  tx: Tx,
  id: MessageId,
  sender: Actor,
  { content, rendered, client, isReadBySender }: SendRequest,
  { now }: SendingContext,
  place: Parameters<Tx['messages']['insert']>[0]['place'],
  { mentioned, topicMentioned, alerted }: Flagged,
): Promise<void> {
  const marks = await linkAttachments(tx, id, rendered.attachmentPathIds, sender)
  await tx.messages.insert({
    id,
    senderId: sender.id,
    place,
    sentAt: now,
    client,
    isMeMessage: rendered.isMeMessage,
    hasLink: rendered.hasLink,
    ...marks,
    mentionsChannel: rendered.channelWildcard,
    content,
    renderedContent: rendered.html,
  })
  const flags = new Map<UserId, number>()
  const flag = (userIds: readonly UserId[], bit: number): void => {
    for (const userId of userIds) flags.set(userId, (flags.get(userId) ?? 0) | bit)
  }
  flag(mentioned, FLAG.mentioned)
  flag(topicMentioned, FLAG.topic_wildcard_mentioned)
  flag(alerted, FLAG.has_alert_word)
  await tx.readState.insertFlags(id, flags)
  if (isReadBySender) await tx.readState.markRead(sender.id, id)
}

function append(
  tx: Tx,
  message: Message,
  { content, rendered, isReadBySender, local }: SendRequest,
  { mentioned, topicMentioned, alerted }: Flagged,
  { organization }: SendingContext,
  audience: Audience,
): void {
  const format = {
    applyMarkdown: true,
    clientGravatar: false,
    allowEmptyTopicName: true,
    realmStringId: organization.stringId,
    // The log keeps the contract's words.
    wireValues: 'contract' as const,
  }
  tx.events.append(
    {
      type: 'message',
      message: toWireMessage(message, format),
      rawContent: content,
      gravatar: true,
      mentionedUserIds: mentioned,
      mentionsChannel: rendered.channelWildcard,
      topicMentionedUserIds: topicMentioned,
      ...(alerted.length > 0 && { alertedUserIds: alerted }),
      readBy: isReadBySender ? [message.sender.id] : [],
      local,
    },
    audience,
  )
}
