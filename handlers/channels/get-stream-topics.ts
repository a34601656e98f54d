import type { ChannelId } from '../../domain/ids.ts'
import { topicForOutput } from '../../domain/topics/topics.ts'
import { sharesHistory } from '../../permissions/access-channel.ts'
import { accessChannelToRead } from '../../permissions/read-channel.ts'
import type { Handler } from '../handler.ts'

/** GET /users/me/{stream_id}/topics (TOPICS-1 to TOPICS-12). */
export const getStreamTopics: Handler<'get-stream-topics'> = async ({ input, actor, db }) => {
  const channel = await accessChannelToRead(db.read, actor, input.stream_id as ChannelId)
  const topics = sharesHistory(channel)
    ? await db.read.topics.ofChannel(channel.id)
    : await db.read.topics.received(channel.id, actor.id)
  return {
    topics: topics.map(({ name, maxMessageId }) => ({
      name: topicForOutput(name, input.allow_empty_topic_name),
      max_id: maxMessageId,
    })),
  }
}
