import { firstSentFrom } from '../db/narrow/first-sent.ts'
import { NarrowQuery } from '../db/narrow/narrow-query.ts'
import type { ResolvedNarrow } from '../db/narrow/resolved-narrow.ts'
import { UnreadQuery } from '../db/read-state/unread-query.ts'
import type { Readers } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { MessageId } from '../domain/ids.ts'
import { MAX_MESSAGES_PER_FETCH } from '../domain/limits.ts'
import type { Pauses } from '../event-loop/pauses.ts'
import type { Actor } from '../permissions/actor.ts'

/** Higher than every ID. The answer to `newest` has it as `anchor`. */
const NEWEST = 10 ** 16

export type Anchor =
  | 'newest'
  | 'oldest'
  | 'first_unread'
  /** A message ID, or any other number. */
  | number
  /** The first message of the narrow at or after this time, in UNIX seconds. */
  | { readonly from: number }

export interface RangeRequest {
  readonly anchor: Anchor
  readonly before: number
  readonly after: number
  readonly includeAnchor: boolean
}

export interface MessageRange {
  /** Ascending. */
  readonly ids: readonly MessageId[]
  readonly anchor: number
  readonly isAnchorFound: boolean
  readonly isNewestFound: boolean
  readonly isOldestFound: boolean
}

/** @throws {BadRequestError} if one request may not ask for so many */
export function checkMessageCount(count: number): void {
  if (count > MAX_MESSAGES_PER_FETCH) {
    throw new BadRequestError(`Too many messages requested (maximum ${MAX_MESSAGES_PER_FETCH}).`)
  }
}

/**
 * Returns the messages of a narrow around an anchor.
 *
 * @param pauses of the work that this belongs to
 */
export async function messageRange(
  read: Readers,
  actor: Actor,
  narrow: ResolvedNarrow,
  { before, after, includeAnchor, ...request }: RangeRequest,
  pauses: Pauses,
): Promise<MessageRange> {
  checkMessageCount(before + after)
  if (!includeAnchor && before > 0 && after > 0) {
    throw new BadRequestError('The anchor can only be excluded at an end of the range')
  }
  const query = new NarrowQuery(read.session, actor, narrow, { pauses })
  const firstUnread = () => new UnreadQuery(read.session, actor, pauses).first(narrow)
  const anchor = await anchorId(read, query, request.anchor, firstUnread)
  const idsBefore = await query.before(anchor, before)
  const isAnchorFound = includeAnchor && anchor > 0 && anchor < NEWEST && (await query.has(anchor))
  const idsAfter = await query.after(anchor, after)
  return {
    ids: [...idsBefore, ...(isAnchorFound ? [anchor as MessageId] : []), ...idsAfter],
    anchor,
    isAnchorFound,
    isNewestFound: anchor === NEWEST || idsAfter.length < after,
    isOldestFound: anchor === 0 || idsBefore.length < before,
  }
}

async function anchorId(
  read: Readers,
  query: NarrowQuery,
  anchor: Anchor,
  firstUnread: () => Promise<MessageId | undefined>,
): Promise<number> {
  if (anchor === 'newest') return NEWEST
  if (anchor === 'oldest') return 0
  if (anchor === 'first_unread') return (await firstUnread()) ?? NEWEST
  if (typeof anchor === 'number') return Math.min(Math.max(anchor, 0), NEWEST)
  const [first] = await query.after((await firstSentFrom(read.session, anchor.from)) - 1, 1)
  return first ?? NEWEST
}
