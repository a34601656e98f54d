import type { Readers } from '../../db/repositories.ts'
import { CodedError } from '../../domain/errors.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import type { RenderedMessage } from '../../domain/markdown/render.ts'
import type { Actor } from '../../permissions/actor.ts'

/** With more subscribers or participants than this, wildcard mentions need a permission (LIMIT-21). */
const MANY_USERS = 15
/** Maximum number of participants that a topic wildcard mentions; further ones are not looked up. */
const MAX_PARTICIPANTS = 1000

/**
 * Returns the users whom a topic wildcard of the message mentions: the participants, including the sender. Empty
 * without such a wildcard.
 *
 * @throws {CodedError} if the sender may not notify so many users (ERR-20, ERR-21)
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
    if (channel && channel.subscriberCount > MANY_USERS) {
      throw new CodedError(
        'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
        'You do not have permission to use channel wildcard mentions in this channel.',
      )
    }
  }
  if (!rendered.topicWildcard) return []
  const participants = await read.topics.participants(channelId, topic, MAX_PARTICIPANTS)
  if (participants.length > MANY_USERS && !mayMentionMany) {
    throw new CodedError(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use topic wildcard mentions in this topic.',
    )
  }
  return [...participants, sender.id] as UserId[]
}
