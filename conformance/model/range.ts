/** Above every id, which some servers say is where the newest message is. */
export const beyondAll = 10 ** 16

export interface RangeRequest {
  /** An id of any message, or of none. */
  readonly anchor: number | 'newest' | 'oldest' | 'first_unread'
  readonly before: number
  readonly after: number
  /** False only where one side is empty. */
  readonly includeAnchor: boolean
}

/** Messages in the order of their ids. */
export interface Matching {
  readonly id: number
  readonly isUnread: boolean
}

export interface Range {
  readonly ids: readonly number[]
  /** 0 at the oldest, `beyondAll` at the newest. */
  readonly anchor: number
  readonly foundAnchor: boolean
  /** Undefined where either is right: there are no more, but no more were asked for either. */
  readonly foundOldest: boolean | undefined
  readonly foundNewest: boolean | undefined
}

/**
 * Those of the matching messages that are in the range.
 *
 * @param areAll whether nothing older matches; otherwise nobody knows
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

/** @param count how many there are on that side */
function isEnd(count: number, wanted: number): boolean | undefined {
  return count === wanted ? undefined : count < wanted
}
