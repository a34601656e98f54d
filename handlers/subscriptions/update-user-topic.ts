import { setTopicVisibility } from '../../actions/messages/set-topic-visibility.ts'
import { accepted } from '../../domain/checked.ts'
import { normalizeTopicInput } from '../../domain/topics/topics.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** POST /user_topics */
export const updateUserTopic: Handler<'update-user-topic'> = async ({ input, write }) => {
  const topic = accepted(normalizeTopicInput(input.topic))
  await write(async (tx, actor) => {
    const { channel } = await accessChannel(tx, actor, input.stream_id)
    const wanted = {
      channelId: channel.id,
      topic,
      policy: input.visibility_policy,
      lastUpdated: tx.organization.now,
    }
    await setTopicVisibility(tx, actor, wanted)
  })
  return {}
}
