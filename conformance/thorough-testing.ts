/**
 * What `npm test` tries of the tests that take most of its time and say the same thing many times over. CI tries all of it, and so
 * does whoever names test files, or says `npm test -- --thorough`, which sets PARLEY_THOROUGH_TESTS.
 */
import { createHash } from 'node:crypto'

export const isThorough = process.env.PARLEY_THOROUGH_TESTS === '1'

/** For what only a thorough run takes: the reason to skip it, which its report shows. */
export const thoroughOnly = isThorough ? false : 'takes long: CI runs it, and npm test -- --thorough'

/** For what costs a second and has many like it: the reason to skip it on all days but one of `days`. */
export function onItsDay(name: string, days = 3): string | false {
  return isThorough || hasItsDay(name, days) ? false : `has one day of ${days}: CI runs it, and npm test -- --thorough`
}

/** One of two numbers. */
export function thoroughOr(all: number, usual: number): number {
  return isThorough ? all : usual
}

const today = Math.floor(Date.now() / 86_400_000)

/** Whether something has its day: each name has one of every `days`, the same for everybody. */
export function hasItsDay(name: string, days: number): boolean {
  return (createHash('sha256').update(name).digest().readUInt32BE() + today) % days === 0
}
