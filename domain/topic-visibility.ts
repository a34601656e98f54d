/** What somebody wants of a topic, beside what they want of its channel; the codes of the wire. */
export const VISIBILITY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const
export type VisibilityPolicy = (typeof VISIBILITY)[keyof typeof VISIBILITY]

/** Whether messages of the topic stay out of the unread count: a topic's own policy goes before the channel's. */
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
