import type { UserTopic } from '../../db/repositories/user-topics.ts'
import type { Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { MAX_MUTED_TOPICS_BYTES, MAX_TOPIC_POLICIES } from '../../domain/limits.ts'
import { VISIBILITY } from '../../domain/topics/topic-visibility.ts'
import type { MutedTopics } from '../../domain/topics/topics.ts'
import type { Actor } from '../../permissions/actor.ts'
import { mutedTopics } from '../../views/state/user-topics.ts'

/**
 * Sets one user's policy for a topic, and tells the user's clients, with the event in the older form first. Does
 * nothing if the policy is unchanged. Returns false, and does nothing, if the user has as many policies as an account
 * may have.
 */
export async function setTopicVisibility(tx: Tx, user: Actor, wanted: UserTopic): Promise<boolean> {
  const before = (await tx.userTopics.ofTopic(wanted.channelId, wanted.topic, [user.id])).get(user.id)
  if ((before ?? VISIBILITY.none) === wanted.policy) return true
  if (before === undefined && (await tx.userTopics.countOf(user.id)) >= MAX_TOPIC_POLICIES) return false
  await tx.userTopics.set([user.id], wanted)
  if (before === VISIBILITY.muted || wanted.policy === VISIBILITY.muted) {
    announceMutedTopics(tx, [user.id], await mutedTopics(tx, user))
  }
  appendUserTopic(tx, [user.id], wanted)
  return true
}

/** @throws {BadRequestError} if the user has as many policies as an account may have */
export async function changeOwnPolicy(tx: Tx, user: Actor, wanted: UserTopic): Promise<void> {
  if (await setTopicVisibility(tx, user, wanted)) return
  throw new BadRequestError(`An account has at most ${MAX_TOPIC_POLICIES} topics with a policy.`)
}

/** Tells each of `userIds` the topics that they mute, in the older form, unless the list is long. */
export function announceMutedTopics(tx: Tx, userIds: readonly UserId[], muted: MutedTopics): void {
  if (Buffer.byteLength(JSON.stringify(muted)) > MAX_MUTED_TOPICS_BYTES) return
  tx.events.append({ type: 'muted_topics', muted_topics: muted }, { to: 'users', userIds })
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
