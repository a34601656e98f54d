import type { Readers } from '../../db/repositories.ts'
import type { Person } from '../../domain/organization/organization-state.ts'
import { VISIBILITY } from '../../domain/topics/topic-visibility.ts'
import { type MutedTopics, mutedTopicsForOutput, topicForOutput } from '../../domain/topics/topics.ts'
import { ChannelRights } from '../../permissions/access-channel.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `user_topic`, and the older `muted_topics` for whoever does not fetch both by name. */
export const part: StatePart = async (read, actor, request) => {
  const allowEmpty = request.capabilities.empty_topic_name === true
  return {
    ...(request.isWanted('user_topic') && {
      user_topics: (await read.userTopics.ofUser(actor.id)).map(({ channelId, topic, lastUpdated, policy }) => ({
        stream_id: channelId,
        topic_name: topicForOutput(topic, allowEmpty),
        last_updated: lastUpdated,
        visibility_policy: policy,
      })),
    }),
    ...(request.isWanted('muted_topics') &&
      (request.isEverythingWanted || !request.isWanted('user_topic')) && {
        muted_topics: mutedTopicsForOutput(await mutedTopics(read, actor), allowEmpty),
      }),
  }
}

/** Channel name, topic and time of every topic that `user` mutes, where they may know the channel's name. */
export async function mutedTopics(read: Readers, user: Person): Promise<MutedTopics> {
  const muted = (await read.userTopics.ofUser(user.id)).filter(({ policy }) => policy === VISIBILITY.muted)
  if (muted.length === 0) return []
  const own = new Set((await read.subscriptions.ofUser(user.id)).map(({ channelId }) => channelId))
  const channels = await read.channels.byIds([...new Set(muted.map(({ channelId }) => channelId))])
  const known = channels.filter(
    (channel) =>
      !channel.isArchived && new ChannelRights(user, channel, own.has(channel.id), read.organization).mayKnow,
  )
  const nameOf = new Map(known.map((channel) => [channel.id, channel.name]))
  return muted.flatMap(({ channelId, topic, lastUpdated }) => {
    const name = nameOf.get(channelId)
    return name === undefined ? [] : [[name, topic, lastUpdated]]
  })
}
