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

/** User settings that decide how sending changes the policy for a topic. */
export type VisibilitySettings = Pick<
  UserSettings,
  | 'automatically_follow_topics_policy'
  | 'automatically_unmute_topics_in_muted_streams_policy'
  | 'automatically_follow_topics_where_mentioned'
>

export interface Sending {
  readonly settings: VisibilitySettings
  /** Whether the message is the first of its topic. */
  readonly startsTopic: boolean
  readonly isChannelMuted: boolean
  readonly policy: VisibilityPolicy
}

/** Returns the sender's new policy for the topic: followed or unmuted; undefined if nothing changes. */
export function policyAfterSending({ settings, startsTopic, isChannelMuted, policy }: Sending): 2 | 3 | undefined {
  if (policy === VISIBILITY.followed) return undefined
  if (applies(settings.automatically_follow_topics_policy, startsTopic)) return VISIBILITY.followed
  const isUnmuting = isChannelMuted && policy !== VISIBILITY.unmuted
  if (isUnmuting && applies(settings.automatically_unmute_topics_in_muted_streams_policy, startsTopic)) {
    return VISIBILITY.unmuted
  }
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

/**
 * @param policy 1 after participating, 2 after sending, 3 after starting the topic, 4 never; sending is participating
 */
function applies(policy: 1 | 2 | 3 | 4, startsTopic: boolean): boolean {
  return policy === 1 || policy === 2 || (policy === 3 && startsTopic)
}
