import { chunksOf } from '../../domain/chunks.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { topicKey } from '../../domain/text/text-keys.ts'
import { VISIBILITY, type VisibilityPolicy } from '../../domain/topics/topic-visibility.ts'
import { LISTED, listOf, ROWS_A_STATEMENT } from '../dialect.ts'
import { Repository } from '../repository.ts'

/** A user's policy for one topic. */
export interface UserTopic {
  readonly channelId: ChannelId
  /** In the spelling with which it was set. */
  readonly topic: string
  readonly policy: VisibilityPolicy
  /** UNIX seconds. */
  readonly lastUpdated: number
}

interface MutedTopic extends UserTopic {
  /** Whether the user is subscribed to the channel of the topic. */
  readonly isSubscribed: boolean
}

interface UserTopicRow {
  readonly channel_id: number
  readonly topic_name: string
  readonly visibility_policy: number
  readonly last_updated: number
}

function userTopic(row: UserTopicRow): UserTopic {
  return {
    channelId: row.channel_id as ChannelId,
    topic: row.topic_name,
    policy: row.visibility_policy as VisibilityPolicy,
    lastUpdated: row.last_updated,
  }
}

/** Topics that users mute, unmute or follow. */
export class UserTopicReader extends Repository {
  /** Returns all policies of `userId`, by channel and name. */
  async ofUser(userId: UserId): Promise<UserTopic[]> {
    const rows = await this.session.all<UserTopicRow>(
      `select channel_id, topic_name, visibility_policy, last_updated from user_topic where user_id = ?
       order by channel_id, topic_key`,
      [userId],
    )
    return rows.map(userTopic)
  }

  async countOf(userId: UserId): Promise<number> {
    const row = await this.session.get<{ count: number }>(
      'select count(*) as count from user_topic where user_id = ?',
      [userId],
    )
    return row?.count ?? 0
  }

  /** Returns those of `userIds` who have `most` policies or fewer. Reads no more rows than that of each. */
  async havingFew(userIds: readonly UserId[], most: number): Promise<Set<UserId>> {
    const rows = await this.session.all<{ id: UserId }>(
      `select wanted.value as id from ${LISTED[this.session.dialect]} as wanted
       where (select 1 from user_topic t where t.user_id = wanted.value limit 1 offset ${most}) is null`,
      [JSON.stringify(userIds)],
    )
    return new Set(rows.map((row) => row.id))
  }

  /**
   * Returns the topics that each of `userIds` mutes, by channel and name; users without any have no entry. One query.
   */
  async mutedBy(userIds: readonly UserId[]): Promise<Map<UserId, MutedTopic[]>> {
    if (userIds.length === 0) return new Map()
    const list = listOf(this.session.dialect, userIds)
    const rows = await this.session.all<UserTopicRow & { user_id: UserId; is_subscribed: number }>(
      `select t.user_id, t.channel_id, t.topic_name, t.visibility_policy, t.last_updated, exists (select 1
         from subscription s where s.user_id = t.user_id and s.channel_id = t.channel_id and s.is_active = 1) as is_subscribed
       from user_topic t where t.user_id in ${list.sql} and t.visibility_policy = ?
       order by t.user_id, t.channel_id, t.topic_key`,
      [...list.params, VISIBILITY.muted],
    )
    const muted = new Map<UserId, MutedTopic[]>()
    for (const row of rows) {
      const topic = { ...userTopic(row), isSubscribed: row.is_subscribed === 1 }
      const own = muted.get(row.user_id)
      if (own) own.push(topic)
      else muted.set(row.user_id, [topic])
    }
    return muted
  }

  /** Returns everybody's policy for the topic in any spelling, by ascending user ID. */
  async ofEverybody(channelId: ChannelId, topic: string): Promise<Map<UserId, VisibilityPolicy>> {
    const rows = await this.session.all<{ user_id: UserId; visibility_policy: VisibilityPolicy }>(
      'select user_id, visibility_policy from user_topic where channel_id = ? and topic_key = ? order by user_id',
      [channelId, topicKey(topic)],
    )
    return new Map(rows.map((row) => [row.user_id, row.visibility_policy]))
  }

  /**
   * Returns the policy of each of `userIds` for the topic in any spelling; users without one have no entry. One query.
   */
  async ofTopic(
    channelId: ChannelId,
    topic: string,
    userIds: readonly UserId[],
  ): Promise<Map<UserId, VisibilityPolicy>> {
    if (userIds.length === 0) return new Map()
    const list = listOf(this.session.dialect, userIds)
    const rows = await this.session.all<{ user_id: UserId; visibility_policy: VisibilityPolicy }>(
      `select user_id, visibility_policy from user_topic
       where channel_id = ? and topic_key = ? and user_id in ${list.sql}`,
      [channelId, topicKey(topic), ...list.params],
    )
    return new Map(rows.map((row) => [row.user_id, row.visibility_policy]))
  }
}

export class UserTopicWriter extends UserTopicReader {
  /** Sets the policy of each of `userIds` for the topic; policy 0 removes it. */
  async set(userIds: readonly UserId[], { channelId, topic, policy, lastUpdated }: UserTopic): Promise<void> {
    const key = topicKey(topic)
    for (const chunk of chunksOf(userIds, ROWS_A_STATEMENT)) {
      const { knex } = this.session
      if (policy === VISIBILITY.none) {
        await knex('user_topic').where({ channel_id: channelId, topic_key: key }).whereIn('user_id', chunk).delete()
        continue
      }
      const wanted = { topic_name: topic, visibility_policy: policy, last_updated: lastUpdated }
      await knex('user_topic')
        .insert(chunk.map((userId) => ({ user_id: userId, channel_id: channelId, topic_key: key, ...wanted })))
        .onConflict(['user_id', 'channel_id', 'topic_key'])
        .merge(['topic_name', 'visibility_policy', 'last_updated'])
    }
  }
}
