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
