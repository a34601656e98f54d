/** A larger part would be gone with fewer holders; a smaller one would refuse a single busy one. */
const PART = 8

/**
 * Whether somebody may hold `held` of what many share, while nobody holds `free`: an eighth of it. So there is always room for the
 * next, twenty greedy ones leave a tenth of all to everybody else, and nobody has to be counted in advance.
 */
export function isWithinShare(held: number, free: number): boolean {
  return held * PART <= free
}
