import type { UserId } from './ids.ts'

/**
 * If holders could have a larger part, a few of them would use everything. A smaller part would refuse a single busy
 * holder.
 */
const PART = 8

/**
 * Whether somebody may hold `held` of a shared resource of which `free` is unused. The limit is an eighth of the unused
 * part. So there is always room for the next holder, twenty greedy holders leave a tenth of everything to all others,
 * and holders need not be counted in advance.
 */
export function isWithinShare(held: number, free: number): boolean {
  return held * PART <= free
}

/** A resource, and how much of it each account holds; null is for what no account has made. */
export interface SharedResource {
  readonly most: number
  readonly heldBy: ReadonlyMap<UserId | null, number>
}

/**
 * Whether `holders`, who are one person and their bots, or null, may hold this much more.
 *
 * @param mayHaveAll true for people who manage the organization; everybody else may have a share of the unused part
 */
export function hasRoom(
  { most, heldBy }: SharedResource,
  holders: readonly (UserId | null)[],
  more: number,
  mayHaveAll: boolean,
): boolean {
  const free = most - more - [...heldBy.values()].reduce((sum, one) => sum + one, 0)
  const held = holders.reduce((sum, id) => sum + (heldBy.get(id) ?? 0), more)
  return mayHaveAll ? free >= 0 : isWithinShare(held, free)
}
