/**
 * Which tests run. `npm test` proves each rule once; `npm run test:full`, which sets PARLEY_TEST_FULL, adds the other
 * database, all seeded faults, and more random runs. The choice depends on names alone, so that a commit has the same
 * verdict on any day.
 */
import { createHash } from 'node:crypto'

export const isFull = process.env.PARLEY_TEST_FULL === '1'

/** The `skip` option of a test that only test:full runs. */
export const fullOnly = isFull ? false : 'npm run test:full runs it'

/** One of two numbers. */
export function fullOr(full: number, usual: number): number {
  return isFull ? full : usual
}

/** Whether a name belongs to a fixed sample of about one in `oneIn`. */
export function isSampled(name: string, oneIn: number): boolean {
  return createHash('sha256').update(name).digest().readUInt32BE() % oneIn === 0
}
