import { UnsupportedParameterError } from '../domain/errors.ts'
import type { DecodableOperation } from './decode.ts'

/**
 * Returns the documented but unsupported parameters of an operation that are refused here and not by the handler. If
 * one was ignored, the caller would believe in a change that did not happen.
 */
export function refusedParameters({ 'x-decode': rules }: DecodableOperation): readonly string[] {
  return Object.entries(rules).flatMap(([name, { refused }]) => (refused === true ? [name] : []))
}

/** @throws UnsupportedParameterError if one of `names` asks for something in `input` */
export function refuseWishes(names: readonly string[], input: Readonly<Record<string, unknown>>): void {
  const wished = names.find((name) => !asksForNothing(input[name]))
  if (wished !== undefined) throw new UnsupportedParameterError(wished)
}

/** Whether a value asks for nothing: absent, null, false, blank, or a list or object of such values only. */
function asksForNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true
  if (typeof value === 'string') return value.trim() === ''
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.values(value).every(asksForNothing)
}
