import type { Readers } from '../db/repositories.ts'
import { ChannelWildcardMentionError, TopicWildcardMentionError } from '../domain/errors.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { RenderedMessage } from '../domain/markdown/render.ts'
import type { Actor } from '../permissions/actor.ts'

/** More subscribers or participants than this make a wildcard mention a matter of permission (LIMIT-21). */
const MANY_USERS = 15
/** The most participants of a topic that a topic wildcard reaches; no more are looked for. */
const MAX_PARTICIPANTS = 1000

/**
 * The people whom a topic wildcard of the message means: those who take part, the sender among them; none without one.
 * @throws where this sender may not notify that many
 */
export async function checkWildcards(
  read: Readers,
  sender: Actor,
  rendered: Pick<RenderedMessage, 'channelWildcard' | 'topicWildcard'>,
  { channelId, topic }: { readonly channelId: ChannelId; readonly topic: string },
): Promise<UserId[]> {
  if (!rendered.channelWildcard && !rendered.topicWildcard) return []
  const mayMentionMany = read.organization.isIn(read.organization.settings.can_mention_many_users_group, sender)
  if (rendered.channelWildcard && !mayMentionMany) {
    const channel = await read.channels.byId(channelId)
    if (channel && channel.subscriberCount > MANY_USERS) throw new ChannelWildcardMentionError()
  }
  if (!rendered.topicWildcard) return []
  const participants = await read.topics.participants(channelId, topic, MAX_PARTICIPANTS)
  if (participants.length > MANY_USERS && !mayMentionMany) throw new TopicWildcardMentionError()
  return [...participants, sender.id] as UserId[]
}
