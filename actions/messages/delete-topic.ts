import type { Tx } from '../../db/repositories.ts'
import { ArchivedChannelError } from '../../domain/errors.ts'
import type { ChannelId, MessageId } from '../../domain/ids.ts'
import { MESSAGES_DELETED_TOGETHER } from '../../domain/limits.ts'
import { sharesHistory } from '../../permissions/access-channel.ts'
import { visibleMessages } from '../../permissions/access-message.ts'
import type { Actor } from '../../permissions/actor.ts'
import { accessChannelToRead } from '../../permissions/read-channel.ts'
import { removeOfTopic } from './delete-message.ts'

/** The part of a topic that is still to be deleted. */
export interface TopicRest {
  readonly channelId: ChannelId
  readonly topic: string
  /** The newest message to delete; later ones stay. */
  readonly most: number
}

/**
 * Deletes the newest messages of the topic that `actor` may read, in one batch, which other writes wait for.
 *
 * @returns the newest message ID that is still to be checked, or undefined if none is
 * @throws {BadRequestError} if the channel does not exist, or `actor` may not read it; {ArchivedChannelError}
 */
export async function deleteNewestOfTopic(
  tx: Tx,
  actor: Actor,
  { channelId, topic, most }: TopicRest,
): Promise<MessageId | undefined> {
  const channel = await accessChannelToRead(tx, actor, channelId)
  if (channel.isArchived) throw new ArchivedChannelError()
  const found = await tx.topics.newestMessages(channelId, topic, { most, limit: MESSAGES_DELETED_TOGETHER + 1 })
  const newest = found.slice(0, MESSAGES_DELETED_TOGETHER).reverse()
  const messages = sharesHistory(channel) ? newest : await visible(tx, actor, newest)
  if (messages.length > 0) await removeOfTopic(tx, actor, { channel, topic, messages })
  return found[MESSAGES_DELETED_TOGETHER]?.id
}

async function visible<One extends { readonly id: MessageId }>(tx: Tx, actor: Actor, messages: readonly One[]) {
  const ids = messages.map(({ id }) => id)
  const seen = new Set((await visibleMessages(tx, actor, ids)).map(({ id }) => id))
  return messages.filter(({ id }) => seen.has(id))
}
