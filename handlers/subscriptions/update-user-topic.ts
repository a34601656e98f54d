import { changeOwnPolicy } from '../../actions/messages/set-topic-visibility.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { VISIBILITY } from '../../domain/topics/topic-visibility.ts'
import { normalizeTopicInput } from '../../domain/topics/topics.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** POST /user_topics */
export const updateUserTopic: Handler<'update-user-topic'> = async ({ input, write }) => {
  const topic = normalizeTopicInput(input.topic)
  await write(async (tx, actor) => {
    const { visibility_policy: policy } = input
    const channelId = input.stream_id as ChannelId
    // A policy in a channel that the caller has lost stays in their list, so they can remove it.
    const isLeft = policy === VISIBILITY.none && (await tx.userTopics.ofTopic(channelId, topic, [actor.id])).size > 0
    if (!isLeft) await accessChannel(tx, actor, channelId)
    await changeOwnPolicy(tx, actor, { channelId, topic, policy, lastUpdated: tx.organization.now })
  })
  return {}
}
