import type { Readers } from '../db/database.ts'
import { type Channel, channelGroup } from '../domain/channel.ts'
import { BadRequestError, TopicPolicyError } from '../domain/errors.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../domain/topics.ts'
import type { PermissionContext } from './access-channel.ts'
import type { Actor } from './actor.ts'
import { isInGroup } from './groups.ts'

/**
 * Whether `actor`, who has access to the channel, may send to it: they are in can_send_message_group, or they are a bot
 * whose owner is.
 * @throws {BadRequestError} when not
 */
export async function checkPosting(
  read: Readers,
  actor: Actor,
  channel: Channel,
  { organization, now }: PermissionContext,
): Promise<void> {
  const group = channelGroup(channel, 'can_send_message_group')
  if (isInGroup(group, actor, organization, now)) return
  const [owner] = actor.botOwnerId === null ? [] : await read.users.byIds([actor.botOwnerId])
  if (owner?.isActive && isInGroup(group, owner, organization, now)) return
  throw new BadRequestError(`You do not have permission to send messages to channel '${channel.name}'.`)
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
  if (policy === 'disable_empty_topic' && (topic === '' || topic === '(no topic)')) {
    throw new TopicPolicyError('empty topic refused', EMPTY_TOPIC_DISPLAY_NAME)
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw new TopicPolicyError('only the empty topic', EMPTY_TOPIC_DISPLAY_NAME)
  }
  if (isInGroup(channelGroup(channel, 'can_create_topic_group'), actor, organization, now)) return
  if (await read.topics.exists(channel.id, topic)) return
  throw new BadRequestError('You do not have permission to create new topics in this channel.')
}
