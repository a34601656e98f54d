import { isDeepStrictEqual } from 'node:util'
import { MisfitError } from '../../client/state/state.ts'

const most = 8

/**
 * One line for each difference between `told` and `is`: `subscriptions.7.color is "#fff", and was told as "#000"`. At
 * most 8.
 */
export function differences(told: unknown, is: unknown): string[] {
  return differencesAt('', told, is).slice(0, most)
}

function differencesAt(path: string, told: unknown, is: unknown): string[] {
  if (isDeepStrictEqual(told, is)) return []
  if (!isObject(told) || !isObject(is)) return [`${path} is ${shown(is)}, and was told as ${shown(told)}`]
  const names = new Set([...Object.keys(told), ...Object.keys(is)])
  return [...names].flatMap((name) => differencesAt(path === '' ? name : `${path}.${name}`, told[name], is[name]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value)
}

/**
 * Like `differences`, for two states that a client computes; if a client cannot compute one, that is the difference.
 */
export function clientDifferences(sides: () => Parameters<typeof differences>): string[] {
  try {
    return differences(...sides())
  } catch (err) {
    if (!(err instanceof MisfitError)) throw err
    return [`no client can follow: ${err.message}`]
  }
}
