import { deleteNewestOfTopic, type TopicRest } from '../../actions/messages/delete-topic.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { TOPIC_DELETION_MS } from '../../domain/limits.ts'
import { normalizeTopicInput } from '../../domain/topics/topics.ts'
import type { Handler } from '../handler.ts'

/**
 * POST /streams/{stream_id}/delete_topic: one transaction for each batch, so that others can write in between
 * (DEL-TOPIC-7, LIMIT-22).
 */
export const deleteTopic: Handler<'delete-topic'> = async ({ input, write, clock, pauses }) => {
  const topic = normalizeTopicInput(input.topic_name)
  const end = clock.monotonic() + TOPIC_DELETION_MS
  let most: number | undefined = Number.MAX_SAFE_INTEGER
  do {
    const rest: TopicRest = { channelId: input.stream_id as ChannelId, topic, most }
    most = await write((tx, actor) => deleteNewestOfTopic(tx, actor, rest))
  } while (most !== undefined && clock.monotonic() < end && !pauses.hasLeft)
  return { complete: most === undefined }
}
