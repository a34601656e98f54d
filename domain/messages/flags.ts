import type { UserId } from '../ids.ts'

/** Flags that users set themselves (POST /messages/flags). */
export const EDITABLE_FLAGS = ['read', 'starred', 'collapsed'] as const
export type EditableFlag = (typeof EDITABLE_FLAGS)[number]

const DERIVED_FLAGS = ['read', 'wildcard_mentioned', 'stream_wildcard_mentioned']

export function isKnownFlag(name: string): boolean {
  return Object.hasOwn(FLAG, name) || DERIVED_FLAGS.includes(name)
}

/**
 * Flags of messages that are stored, sparsely, as bits; `read` is kept in read blocks (domain/messages/read-state.ts).
 */
export const FLAG = {
  starred: 1,
  mentioned: 2,
  topic_wildcard_mentioned: 4,
  has_alert_word: 8,
  collapsed: 16,
  /** The user did not receive the message when it was sent, but flagged it since, or is a bot that it mentions. */
  historical: 32,
} as const

export type StoredFlag = keyof typeof FLAG

/** Users for whom the content of a message sets flags, by reason. */
export interface FlaggedByContent {
  readonly mentioned: readonly UserId[]
  /** Mentioned bots that do not receive the channel's messages. */
  readonly mentionedBots?: readonly UserId[]
  readonly topicMentioned: readonly UserId[]
  readonly alerted: readonly UserId[]
}

/** Returns the stored flags that follow from the content of a message, by user; users without any have no entry. */
export function contentFlags({
  mentioned,
  mentionedBots = [],
  topicMentioned,
  alerted,
}: FlaggedByContent): Map<UserId, number> {
  const flags = new Map<UserId, number>()
  const flag = (userIds: readonly UserId[], bit: number): void => {
    for (const userId of userIds) flags.set(userId, (flags.get(userId) ?? 0) | bit)
  }
  flag(mentioned, FLAG.mentioned)
  flag(mentionedBots, FLAG.mentioned | FLAG.historical)
  flag(topicMentioned, FLAG.topic_wildcard_mentioned)
  flag(alerted, FLAG.has_alert_word)
  return flags
}

export interface MessageFlags {
  /** Bits of FLAG. */
  readonly stored: number
  readonly isRead: boolean
  /** Whether the viewer may see the message, but did not receive it when it was sent. */
  readonly isHistorical: boolean
  /** The message has a channel wildcard mention, and the viewer received it. */
  readonly isChannelWildcardMentioned: boolean
}

/** Returns `flags` of a message on the wire (MSG-FIELD-28, MSG-FIELD-29). */
export function flagNames(flags: MessageFlags): string[] {
  const names: string[] = []
  if (flags.isRead) names.push('read')
  if (flags.stored !== 0) {
    if (flags.stored & FLAG.starred) names.push('starred')
    if (flags.stored & FLAG.mentioned) names.push('mentioned')
    if (flags.stored & FLAG.topic_wildcard_mentioned) names.push('topic_wildcard_mentioned')
    if (flags.stored & FLAG.has_alert_word) names.push('has_alert_word')
    if (flags.stored & FLAG.collapsed) names.push('collapsed')
  }
  if (flags.isChannelWildcardMentioned) names.push('stream_wildcard_mentioned')
  // For clients that know neither of the two newer flags.
  if (flags.isChannelWildcardMentioned || flags.stored & FLAG.topic_wildcard_mentioned) names.push('wildcard_mentioned')
  if (flags.isHistorical) names.push('historical')
  return names
}
