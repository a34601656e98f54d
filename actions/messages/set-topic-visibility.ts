import type { UserTopic } from '../../db/repositories/user-topics.ts'
import type { Tx } from '../../db/repositories.ts'
import type { UserId } from '../../domain/ids.ts'
import { VISIBILITY } from '../../domain/topics/topic-visibility.ts'
import type { Actor } from '../../permissions/actor.ts'
import { mutedTopics } from '../../views/state/user-topics.ts'
import { announceToSelf } from '../announce-to-self.ts'

/**
 * Sets one user's policy for a topic, and tells the user's clients, with the event in the older form first. Does
 * nothing if the policy is unchanged.
 */
export async function setTopicVisibility(tx: Tx, user: Actor, wanted: UserTopic): Promise<void> {
  const before = (await tx.userTopics.ofTopic(wanted.channelId, wanted.topic, [user.id])).get(user.id)
  if ((before ?? VISIBILITY.none) === wanted.policy) return
  await tx.userTopics.set([user.id], wanted)
  if (before === VISIBILITY.muted || wanted.policy === VISIBILITY.muted) {
    announceToSelf(tx, user.id, { type: 'muted_topics', muted_topics: await mutedTopics(tx, user) })
  }
  appendUserTopic(tx, [user.id], wanted)
}

/** Tells each of `userIds` the present policy for the topic. */
export function appendUserTopic(
  tx: Tx,
  userIds: readonly UserId[],
  { channelId, topic, policy, lastUpdated }: UserTopic,
): void {
  tx.events.append(
    {
      type: 'user_topic',
      stream_id: channelId,
      topic_name: topic,
      last_updated: lastUpdated,
      visibility_policy: policy,
    },
    { to: 'users', userIds },
  )
}
