/** Above every id. Some servers return it as the anchor of the newest message. */
export const beyondAll = 10 ** 16

export interface RangeRequest {
  /** Any id; it need not belong to a message. */
  readonly anchor: number | 'newest' | 'oldest' | 'first_unread'
  readonly before: number
  readonly after: number
  /** False only if one side is empty. */
  readonly includeAnchor: boolean
}

/** Matching messages in the order of their ids. */
export interface Matching {
  readonly id: number
  readonly isUnread: boolean
}

export interface Range {
  readonly ids: readonly number[]
  /** 0 at the oldest message, `beyondAll` at the newest. */
  readonly anchor: number
  readonly foundAnchor: boolean
  /** Undefined if both values are right: there are no more messages, but no more were requested either. */
  readonly foundOldest: boolean | undefined
  readonly foundNewest: boolean | undefined
}

/**
 * The matching messages in the range.
 *
 * @param areAll whether nothing older matches; otherwise this is unknown
 */
export function rangeOf(matching: readonly Matching[], request: RangeRequest, areAll = true): Range {
  const anchor = anchorOf(matching, request.anchor)
  const ids = matching.map(({ id }) => id)
  const older = ids.filter((id) => id < anchor)
  const newer = ids.filter((id) => id > anchor)
  const before = older.slice(Math.max(0, older.length - request.before))
  const after = newer.slice(0, request.after)
  const isFound = request.includeAnchor && ids.includes(anchor)
  const oldest = isEnd(older.length, request.before)
  return {
    ids: [...before, ...(isFound ? [anchor] : []), ...after],
    anchor,
    foundAnchor: isFound,
    foundOldest: anchor === 0 ? true : areAll || oldest === false ? oldest : undefined,
    foundNewest: anchor === beyondAll ? true : isEnd(newer.length, request.after),
  }
}

function anchorOf(matching: readonly Matching[], anchor: RangeRequest['anchor']): number {
  if (anchor === 'newest') return beyondAll
  if (anchor === 'oldest') return 0
  if (anchor === 'first_unread') return matching.find(({ isUnread }) => isUnread)?.id ?? beyondAll
  return anchor
}

/** @param count number of messages on that side */
function isEnd(count: number, wanted: number): boolean | undefined {
  return count === wanted ? undefined : count < wanted
}
