import type { UserSettings } from '../users/user-settings.ts'

/** Policies of a user for a topic, with the codes of the wire. */
export const VISIBILITY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const
export type VisibilityPolicy = (typeof VISIBILITY)[keyof typeof VISIBILITY]

/** Whether messages of the topic are left out of the unread count: a topic's own policy overrides the channel's. */
export function isTopicMuted(policy: VisibilityPolicy, isChannelMuted: boolean): boolean {
  switch (policy) {
    case VISIBILITY.none:
      return isChannelMuted
    case VISIBILITY.muted:
      return true
    case VISIBILITY.unmuted:
    case VISIBILITY.followed:
      return false
    default:
      return policy satisfies never
  }
}

/** User settings that decide how taking part changes the policy for a topic. */
export type VisibilitySettings = Pick<
  UserSettings,
  | 'automatically_follow_topics_policy'
  | 'automatically_unmute_topics_in_muted_streams_policy'
  | 'automatically_follow_topics_where_mentioned'
>

/**
 * How a user takes part in a topic: by a reaction or a vote, by sending, or by its first message. A setting applies to
 * these from its own code on.
 */
export const PART = { other: 1, sends: 2, starts: 3 } as const
export type Part = (typeof PART)[keyof typeof PART]

export interface TakingPart {
  readonly settings: VisibilitySettings
  readonly part: Part
  readonly isChannelMuted: boolean
  readonly policy: VisibilityPolicy
}

/** Returns the user's new policy for the topic: followed or unmuted; undefined if nothing changes. */
export function policyAfterTakingPart({ settings, part, isChannelMuted, policy }: TakingPart): 2 | 3 | undefined {
  if (policy === VISIBILITY.followed) return undefined
  if (settings.automatically_follow_topics_policy <= part) return VISIBILITY.followed
  const isUnmuting = isChannelMuted && policy !== VISIBILITY.unmuted
  if (isUnmuting && settings.automatically_unmute_topics_in_muted_streams_policy <= part) return VISIBILITY.unmuted
  return undefined
}

/**
 * Returns a user's policy for a topic after all of another one has moved there.
 *
 * @param joinsOthers whether the topic already had messages: then its former policy counts too. If the two differ, no
 * policy is set, unless one of them unmutes the topic
 */
export function policyAfterMove(
  { old, present }: { readonly old: VisibilityPolicy; readonly present: VisibilityPolicy },
  joinsOthers: boolean,
): VisibilityPolicy {
  if (!joinsOthers || old === present) return old
  return old === VISIBILITY.unmuted || present === VISIBILITY.unmuted ? VISIBILITY.unmuted : VISIBILITY.none
}
