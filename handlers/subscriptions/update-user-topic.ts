import { setTopicVisibility } from '../../actions/set-topic-visibility.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { normalizeTopicInput } from '../../domain/topics.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** POST /user_topics */
export const updateUserTopic: Handler<'update-user-topic'> = async ({ input, write }) => {
  const topic = normalizeTopicInput(input.topic)
  if (!topic.ok) throw new BadRequestError(topic.message)
  await write(async (tx, actor) => {
    const { channel } = await accessChannel(tx, actor, input.stream_id)
    const wanted = {
      channelId: channel.id,
      topic: topic.value,
      policy: input.visibility_policy,
      lastUpdated: tx.organization.now,
    }
    await setTopicVisibility(tx, actor, wanted)
  })
  return {}
}
