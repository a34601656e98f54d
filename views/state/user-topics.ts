import type { Readers } from '../../db/repositories.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Person } from '../../domain/organization/organization-state.ts'
import { type MutedTopics, mutedTopicsForOutput, topicForOutput } from '../../domain/topics/topics.ts'
import { ChannelRights } from '../../permissions/access-channel.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `user_topic`, and the older `muted_topics` for clients that do not fetch both by name. */
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

/** Channel name, topic and time of every topic that `user` mutes, in channels whose names they may know. */
export async function mutedTopics(read: Readers, user: Person): Promise<MutedTopics> {
  return (await mutedTopicsOf(read, [user])).get(user.id) ?? []
}

/** Same as above for several users, in two queries. Users who mute nothing have no entry. */
export async function mutedTopicsOf(
  read: Readers,
  users: readonly Person[],
): Promise<ReadonlyMap<UserId, MutedTopics>> {
  const muted = await read.userTopics.mutedBy(users.map(({ id }) => id))
  const ids = new Set([...muted.values()].flatMap((topics) => topics.map(({ channelId }) => channelId)))
  const channels = ids.size === 0 ? [] : await read.channels.byIds([...ids])
  const present = new Map(channels.flatMap((channel) => (channel.isArchived ? [] : [[channel.id, channel] as const])))
  const named = new Map<UserId, MutedTopics>()
  for (const user of users) {
    const topics = (muted.get(user.id) ?? []).flatMap(
      ({ channelId, topic, lastUpdated, isSubscribed }): MutedTopics => {
        const channel = present.get(channelId)
        if (!channel || !new ChannelRights(user, channel, isSubscribed, read.organization).mayKnow) return []
        return [[channel.name, topic, lastUpdated]]
      },
    )
    if (topics.length > 0) named.set(user.id, topics)
  }
  return named
}
