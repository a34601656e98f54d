import type { Readers } from '../db/database.ts'
import type { SenderState } from '../db/repositories/subscriptions.ts'
import { type Channel, channelGroup } from '../domain/channel.ts'
import { BadRequestError, NotAuthorizedToSendError, TopicPolicyError } from '../domain/errors.ts'
import type { ChannelId } from '../domain/ids.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../domain/topics.ts'
import type { User } from '../domain/user.ts'
import { ChannelRights, type PermissionContext } from './access-channel.ts'
import type { Actor } from './actor.ts'
import { isInGroup } from './groups.ts'

/** Where somebody may send. */
export interface ChannelToSend {
  readonly channel: Channel
  /** What sending there does to its topics for them. */
  readonly sender: SenderState
}

/**
 * The channel, by id or by name, if `actor` may send to it: they may read it and are in can_send_message_group, or they
 * are a bot whose owner may and is. Undefined where there is none, and equally where `actor` may not know of it.
 * @throws {NotAuthorizedToSendError} where `actor` may know of the channel and not send to it, as to an archived one
 */
export async function findChannelToSend(
  read: Readers,
  actor: Actor,
  wanted: number | string,
  context: PermissionContext,
): Promise<ChannelToSend | undefined> {
  const channel =
    typeof wanted === 'number' ? await read.channels.byId(wanted as ChannelId) : await read.channels.byName(wanted)
  if (!channel) return undefined
  const sender = await read.subscriptions.ofSender(actor.id, channel.id)
  const rights = new ChannelRights(actor, channel, sender.isSubscribed, context)
  if (!channel.isArchived && (await maySend(read, actor, channel, rights, context))) return { channel, sender }
  if (rights.mayKnow) throw new NotAuthorizedToSendError(channel.name)
  return undefined
}

async function maySend(
  read: Readers,
  actor: Actor,
  channel: Channel,
  { mayRead }: ChannelRights,
  context: PermissionContext,
): Promise<boolean> {
  const group = channelGroup(channel, 'can_send_message_group')
  const isIn = (person: User): boolean => isInGroup(group, person, context.organization, context.now)
  if (mayRead && isIn(actor)) return true
  const [owner] = actor.botOwnerId === null ? [] : await read.users.byIds([actor.botOwnerId])
  if (!owner?.isActive || !(isIn(actor) || isIn(owner))) return false
  if (mayRead) return true
  const isSubscribed = await read.subscriptions.isSubscribed(owner.id, channel.id)
  return new ChannelRights(owner, channel, isSubscribed, context).mayRead
}

/**
 * Whether the channel takes a message of `actor` with this topic, the empty one or a new one.
 * @throws {TopicPolicyError} {BadRequestError}
 */
export async function checkTopic(
  read: Readers,
  actor: Actor,
  { channel, topic }: { readonly channel: Channel; readonly topic: string },
  { organization, now }: PermissionContext,
): Promise<void> {
  const policy = channel.topicsPolicy === 'inherit' ? organization.settings.topics_policy : channel.topicsPolicy
  if (policy === 'disable_empty_topic' && topic === '') {
    throw new TopicPolicyError('empty topic refused', EMPTY_TOPIC_DISPLAY_NAME)
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw new TopicPolicyError('only the empty topic', EMPTY_TOPIC_DISPLAY_NAME)
  }
  if (isInGroup(channelGroup(channel, 'can_create_topic_group'), actor, organization, now)) return
  if (await read.topics.exists(channel.id, topic)) return
  throw new BadRequestError('You do not have permission to create new topics in this channel.')
}
