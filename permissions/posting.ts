import type { SenderState } from '../db/repositories/subscriptions.ts'
import type { Readers } from '../db/repositories.ts'
import { type Channel, channelGroup } from '../domain/channels/channel.ts'
import { BadRequestError, NotAuthorizedToSendError, TopicPolicyError } from '../domain/errors.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../domain/topics/topics.ts'
import type { User } from '../domain/users/user.ts'
import { ChannelRights, sharesHistory } from './access-channel.ts'
import type { Actor } from './actor.ts'

/** A channel to which somebody may send. */
export interface ChannelToSend {
  readonly channel: Channel
  /** Decides how sending affects the sender's policies for its topics. */
  readonly sender: SenderState
}

/**
 * Returns the channel if `actor` may send to it: they can read it and are in can_send_message_group, or they are a bot
 * whose owner is. Undefined if it does not exist, or `actor` may not know it.
 *
 * @throws {NotAuthorizedToSendError} if `actor` may know the channel but not send to it, as to an archived one
 */
export async function channelToSend(
  read: Readers,
  actor: Actor,
  channel: Channel | undefined,
): Promise<ChannelToSend | undefined> {
  if (!channel) return undefined
  const sender = await read.subscriptions.ofSender(actor.id, channel.id)
  const rights = new ChannelRights(actor, channel, sender.isSubscribed, read.organization)
  if (!channel.isArchived && (await maySend(read, actor, channel, rights))) return { channel, sender }
  if (rights.mayKnow) throw new NotAuthorizedToSendError(channel.name)
  return undefined
}

async function maySend(read: Readers, actor: Actor, channel: Channel, { mayRead }: ChannelRights): Promise<boolean> {
  const group = channelGroup(channel, 'can_send_message_group')
  const isIn = (person: User): boolean => read.organization.isIn(group, person)
  if (mayRead && isIn(actor)) return true
  const [owner] = actor.botOwnerId === null ? [] : await read.users.byIds([actor.botOwnerId])
  if (!owner?.isActive || !(isIn(actor) || isIn(owner))) return false
  if (mayRead) return true
  const isSubscribed = await read.subscriptions.isSubscribed(owner.id, channel.id)
  return new ChannelRights(owner, channel, isSubscribed, read.organization).mayRead
}

/**
 * Checks whether the channel accepts a message of `actor` with this topic, which may be empty or new.
 *
 * @throws {TopicPolicyError} {BadRequestError}
 */
export async function checkTopic(
  read: Readers,
  actor: Actor,
  { channel, topic }: { readonly channel: Channel; readonly topic: string },
): Promise<void> {
  const policy = channel.topicsPolicy === 'inherit' ? read.organization.settings.topics_policy : channel.topicsPolicy
  if (policy === 'disable_empty_topic' && topic === '') {
    throw new TopicPolicyError('empty topic refused', EMPTY_TOPIC_DISPLAY_NAME)
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw new TopicPolicyError('only the empty topic', EMPTY_TOPIC_DISPLAY_NAME)
  }
  if (read.organization.isIn(channelGroup(channel, 'can_create_topic_group'), actor)) return
  if (await hasTopic(read, actor, { channel, topic })) return
  throw new BadRequestError('You do not have permission to create new topics in this channel.')
}

/** Whether `actor` can read messages of the topic. Its mere existence would reveal a hidden history. */
export async function hasTopic(
  read: Readers,
  actor: Actor,
  { channel, topic }: { readonly channel: Channel; readonly topic: string },
): Promise<boolean> {
  if (sharesHistory(channel)) return read.topics.exists(channel.id, topic)
  const own = { channelId: channel.id, topic, sharesHistory: false }
  return (await read.topics.latestMessages(actor.id, [own])).size > 0
}
