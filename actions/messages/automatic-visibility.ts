import type { SenderState } from '../../db/repositories/subscriptions.ts'
import type { MessageToChange } from '../../db/repositories/viewed-messages.ts'
import type { Tx } from '../../db/repositories.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { MAX_TOPIC_POLICIES_BY_OTHERS } from '../../domain/limits.ts'
import { PART, type Part, policyAfterTakingPart, VISIBILITY } from '../../domain/topics/topic-visibility.ts'
import type { Actor } from '../../permissions/actor.ts'
import { appendUserTopic, setTopicVisibility } from './set-topic-visibility.ts'

interface SentToTopic {
  readonly channelId: ChannelId
  readonly topic: string
  /** Whether the message is the first of its topic that the sender can read. */
  readonly startsTopic: boolean
  readonly mentionedUserIds: readonly UserId[]
}

/**
 * Applies the automatic policies for topics: the sender follows or unmutes the topic, mentioned users follow it (levels
 * 214 and 235). A muted topic stays muted for mentioned users, and nothing changes for bots. Returns the sender's new
 * policy.
 */
export async function changeVisibilityBySending(
  tx: Tx,
  sender: Actor,
  state: SenderState,
  { channelId, topic, startsTopic, mentionedUserIds }: SentToTopic,
): Promise<2 | 3 | undefined> {
  const place = { channelId, topic, lastUpdated: tx.organization.now }
  const policy = await changeOwn(tx, sender, state, { channelId, topic, part: startsTopic ? PART.starts : PART.sends })
  const following = await followingByMention(tx, sender, channelId, topic, mentionedUserIds)
  if (following.length > 0) {
    await tx.userTopics.set(following, { ...place, policy: VISIBILITY.followed })
    appendUserTopic(tx, following, { ...place, policy: VISIBILITY.followed })
  }
  return policy
}

/** Applies the same policies to a user who reacts to a message or adds to its widget. Call it before the event. */
export async function changeVisibilityByTakingPart(
  tx: Tx,
  user: Actor,
  { message: { place } }: Pick<MessageToChange, 'message'>,
): Promise<void> {
  if (place.kind !== 'channel') return
  const { channelId, topic } = place
  const state = await tx.subscriptions.ofSender(user.id, channelId)
  await changeOwn(tx, user, state, { channelId, topic, part: PART.other })
}

async function changeOwn(
  tx: Tx,
  user: Actor,
  { settings, isChannelMuted }: SenderState,
  { channelId, topic, part }: { readonly channelId: ChannelId; readonly topic: string; readonly part: Part },
): Promise<2 | 3 | undefined> {
  const situation = { settings, part, isChannelMuted }
  // Most messages and reactions cannot change anything, so nothing is looked up for them.
  if (user.isBot || policyAfterTakingPart({ ...situation, policy: VISIBILITY.none }) === undefined) return undefined
  const before = (await tx.userTopics.ofTopic(channelId, topic, [user.id])).get(user.id)
  const policy = policyAfterTakingPart({ ...situation, policy: before ?? VISIBILITY.none })
  if (policy === undefined) return undefined
  const wanted = { channelId, topic, policy, lastUpdated: tx.organization.now }
  return (await setTopicVisibility(tx, user, wanted)) ? policy : undefined
}

/** Returns the mentioned users who now follow the topic and did not before. */
async function followingByMention(
  tx: Tx,
  sender: Actor,
  channelId: ChannelId,
  topic: string,
  mentionedUserIds: readonly UserId[],
): Promise<UserId[]> {
  const others = mentionedUserIds.filter((id) => id !== sender.id)
  if (others.length === 0) return []
  const settings = await tx.users.visibilitySettings(others)
  const policies = await tx.userTopics.ofTopic(channelId, topic, others)
  const following = others.filter((id) => {
    const policy = policies.get(id)
    const mayChange = policy !== VISIBILITY.followed && policy !== VISIBILITY.muted
    return mayChange && settings.get(id)?.automatically_follow_topics_where_mentioned === true
  })
  if (following.length === 0) return []
  const few = await tx.userTopics.havingFew(following, MAX_TOPIC_POLICIES_BY_OTHERS)
  return following.filter((id) => few.has(id))
}
