import type { UserTopic } from '../../db/repositories/user-topics.ts'
import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { chunksOf } from '../../domain/chunks.ts'
import type { UserId } from '../../domain/ids.ts'
import { MAX_MUTED_TOPICS_BYTES } from '../../domain/limits.ts'
import { topicKey } from '../../domain/text/text-keys.ts'
import { policyAfterMove, VISIBILITY, type VisibilityPolicy } from '../../domain/topics/topic-visibility.ts'
import type { User } from '../../domain/users/user.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { sharesHistory } from '../../permissions/access-channel.ts'
import { readersAmong } from '../../permissions/read-channel.ts'
import { mutedTopicsOf } from '../../views/state/user-topics.ts'
import { receivedOf } from './lose-moved-messages.ts'
import type { Moved } from './move-messages.ts'
import { announceMutedTopics, appendUserTopic } from './set-topic-visibility.ts'

type Topic = Omit<UserTopic, 'policy'>

/**
 * Moves the users' settings of a topic with it, if all of it has moved: followed stays followed. If the new topic had
 * messages, two different settings are merged. Users who could read none of the messages keep their setting under the
 * old name and are told nothing; users who can read none of them in the new channel get no setting there.
 */
export async function moveTopicPolicies(tx: Tx, moved: Moved, pauses: Pauses): Promise<void> {
  const { from, to, oldTopic, newTopic, isWholeTopic, joinsOthers } = moved
  const isSameTopic = to === null && topicKey(oldTopic) === topicKey(newTopic)
  if (!isWholeTopic || isSameTopic) return
  const lastUpdated = tx.organization.now
  const left = { channelId: from.id, topic: oldTopic, lastUpdated }
  const entered = { channelId: (to ?? from).id, topic: newTopic, lastUpdated }
  const everybody = await tx.userTopics.ofEverybody(left.channelId, left.topic)
  const reading = await readingAmong(tx, from, moved, [...everybody.keys()], pauses)
  const old = new Map([...everybody].filter(([userId]) => reading.has(userId)))
  const present = await tx.userTopics.ofEverybody(entered.channelId, entered.topic)
  if (old.size === 0) return
  const readers = to ? await readingAmong(tx, to, moved, [...old.keys()], pauses) : undefined
  const wanted = new Map<UserId, VisibilityPolicy>()
  // Users without a setting for the old topic keep the one for the new topic; otherwise anybody could remove it by a
  // move.
  for (const [userId, was] of old) {
    const policies = { old: was, present: present.get(userId) ?? VISIBILITY.none }
    const policy = readers && !readers.has(userId) ? policies.present : policyAfterMove(policies, joinsOthers)
    if (policy !== policies.present) wanted.set(userId, policy)
  }
  await setForAll(tx, left, new Map([...old.keys()].map((userId) => [userId, VISIBILITY.none])), pauses)
  await setForAll(tx, entered, wanted, pauses)
  const muting = [...old.keys()].filter((userId) => {
    const isMuted = old.get(userId) === VISIBILITY.muted || present.get(userId) === VISIBILITY.muted
    return isMuted || wanted.get(userId) === VISIBILITY.muted
  })
  announcePolicies(tx, left, new Map([...old.keys()].map((userId) => [userId, VISIBILITY.none])))
  await announceMutedBy(tx, await tx.users.byIds(muting, pauses), pauses)
  announcePolicies(tx, entered, wanted)
}

/** Returns those of `userIds` who may read some of the messages in this channel. */
async function readingAmong(
  tx: Tx,
  channel: Channel,
  { messages }: Moved,
  userIds: readonly UserId[],
  pauses: Pauses,
): Promise<{ has(userId: UserId): boolean }> {
  const readers = await readersAmong(tx, channel, userIds, pauses)
  if (sharesHistory(channel)) return readers
  const ids = messages.map(({ id }) => id)
  return receivedOf(tx, messages, new Map([...readers].map((userId) => [userId, ids])), pauses)
}

/** Limits for one statement that reads lists of muted topics: its users, and the policies of each of them. */
const PEOPLE_AT_ONCE = 20
const POLICIES_OF_EACH = 500

/**
 * Tells users the topics that they mute, in the older form; users with the same list share an event. Skips users with
 * many policies, and everybody else once the lists of this move are too long together (DIFF-POLICIES).
 */
async function announceMutedBy(tx: Tx, users: readonly User[], pauses: Pauses): Promise<void> {
  let bytes = 0
  for (const some of chunksOf(users, PEOPLE_AT_ONCE)) {
    const few = await tx.userTopics.havingFew(
      some.map(({ id }) => id),
      POLICIES_OF_EACH,
    )
    const told = some.filter(({ id, isActive }) => isActive && few.has(id))
    const muted = await mutedTopicsOf(tx, told)
    for (const [json, same] of Map.groupBy(told, ({ id }) => JSON.stringify(muted.get(id) ?? []))) {
      bytes += Buffer.byteLength(json)
      if (bytes > MAX_MUTED_TOPICS_BYTES) return
      const [one] = same
      const ids = same.map(({ id }) => id)
      announceMutedTopics(tx, ids, (one && muted.get(one.id)) ?? [])
    }
    await pauses.letOthers()
  }
}

async function setForAll(
  tx: Tx,
  topic: Topic,
  wanted: ReadonlyMap<UserId, VisibilityPolicy>,
  pauses: Pauses,
): Promise<void> {
  for (const [policy, userIds] of byPolicy(wanted)) {
    await tx.userTopics.set(userIds, { ...topic, policy })
    await pauses.letOthers()
  }
}

/** Users with the same policy share an event. */
function announcePolicies(tx: Tx, topic: Topic, wanted: ReadonlyMap<UserId, VisibilityPolicy>): void {
  for (const [policy, userIds] of byPolicy(wanted)) {
    appendUserTopic(tx, userIds, { ...topic, policy })
  }
}

function byPolicy(wanted: ReadonlyMap<UserId, VisibilityPolicy>): Map<VisibilityPolicy, UserId[]> {
  const groups = Map.groupBy(wanted, ([, policy]) => policy)
  return new Map([...groups].map(([policy, pairs]) => [policy, pairs.map(([userId]) => userId)]))
}
