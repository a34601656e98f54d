import { markPlacesRead } from '../../actions/messages/mark-read.ts'
import { NarrowQuery } from '../../db/narrow/narrow-query.ts'
import { MessagesOfPlaces } from '../../db/read-state/messages-of-places.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { normalizeTopicInput } from '../../domain/topics/topics.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { accessChannelToRead } from '../../permissions/read-channel.ts'
import type { Handler } from '../handler.ts'

/** POST /mark_topic_as_read (READ-1 to READ-8). */
export const markTopicAsRead: Handler<'mark-topic-as-read'> = async ({ input, write }) => {
  const topic = normalizeTopicInput(input.topic_name)
  await write(async (tx, actor) => {
    const channel = await accessChannelToRead(tx, actor, input.stream_id as ChannelId)
    const terms = [
      { kind: 'channel', channelId: channel.id, negated: false },
      { kind: 'topic', topic, negated: false },
    ] as const
    // At this point the caller may read the channel, perhaps only through its groups.
    const narrow = { terms, isHistoryShared: false, openedIds: [channel.id] }
    const own = await new NarrowQuery(tx.session, actor, narrow).before(Number.MAX_SAFE_INTEGER, 1)
    // The empty topic may have no messages (READ-7).
    if (own.length === 0 && topic !== '') throw new BadRequestError(`No such topic '${topic}'`)
    const spellings = (await tx.topics.spellings(channel.id, topic)).map(({ id }) => id)
    const messages = new MessagesOfPlaces(tx.session, 'topic_id', new Pauses())
    await markPlacesRead(tx, actor, spellings, messages, narrow.openedIds)
  })
  return {}
}
