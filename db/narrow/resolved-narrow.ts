import type { ChannelId, DirectGroupId, UserId } from '../../domain/ids.ts'
import type { SearchQuery } from '../../domain/search/query.ts'
import type { Role } from '../../domain/users/roles.ts'

/** A term whose operand was looked up. */
export type ResolvedTerm = { readonly negated: boolean } & (
  | { readonly kind: 'channel'; readonly channelId: ChannelId }
  | { readonly kind: 'channels'; readonly which: 'public' | 'web-public' }
  | { readonly kind: 'topic'; readonly topic: string }
  /** Undefined if these users never had a conversation, so that no message matches. */
  | { readonly kind: 'dm'; readonly groupId: DirectGroupId | undefined }
  | { readonly kind: 'dm-including' | 'group-dm-with' | 'sender' | 'mentions'; readonly userId: UserId }
  | { readonly kind: 'id'; readonly messageId: number }
  | { readonly kind: 'is'; readonly what: IsOperand }
  | { readonly kind: 'has'; readonly what: HasOperand }
  /** Neither in a muted channel nor in a muted topic. */
  | { readonly kind: 'in-home' }
  | { readonly kind: 'search'; readonly query: SearchQuery }
)

export const IS_OPERANDS = ['dm', 'starred', 'unread', 'mentioned', 'alerted', 'resolved', 'followed', 'muted'] as const
export type IsOperand = (typeof IS_OPERANDS)[number]
export const HAS_OPERANDS = ['attachment', 'image', 'link', 'reaction'] as const
export type HasOperand = (typeof HAS_OPERANDS)[number]

export interface ResolvedNarrow {
  readonly terms: readonly ResolvedTerm[]
  /**
   * Whether the viewer may read everything that the terms select, including messages from before the subscription: a
   * channel with shared history, or the public channels. Otherwise only received messages are found.
   */
  readonly isHistoryShared: boolean
  /** Private channels whose messages the viewer may find without a subscription, as far as they were received. */
  readonly openedIds?: readonly ChannelId[]
}

/** Selects everything that a user received. */
export const EVERYTHING: ResolvedNarrow = { terms: [], isHistoryShared: false }

export interface Viewer {
  readonly id: UserId
  readonly role: Role
}

/** Returns all searches together as one query; undefined without a search. */
export function searchedFor({ terms }: ResolvedNarrow): SearchQuery | undefined {
  const queries = terms.flatMap((term) => (term.kind === 'search' && !term.negated ? [term.query] : []))
  if (queries.length === 0) return undefined
  const all = (kind: keyof SearchQuery) => queries.flatMap((query) => query[kind])
  return { words: all('words'), alone: all('alone'), phrases: all('phrases') }
}
