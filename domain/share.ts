/** With a larger part a few holders would use everything; a smaller one would refuse a single busy one. */
const PART = 8

/**
 * Whether somebody may hold `held` of a shared resource of which `free` is unused: an eighth of that. So there is
 * always room for the next one, twenty greedy holders leave a tenth of all to everybody else, and nobody has to be
 * counted in advance.
 */
export function isWithinShare(held: number, free: number): boolean {
  return held * PART <= free
}
