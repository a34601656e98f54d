import { BadRequestError } from './errors.ts'

/** What a check of user input gives: the value in the form that is stored, or the sentence that refuses it. */
export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string }

export function accept<Value>(value: Value): Checked<Value> {
  return { ok: true, value }
}

export function refuse<Value>(message: string): Checked<Value> {
  return { ok: false, message }
}

/** @throws {BadRequestError} with the sentence that refuses the value */
export function accepted<Value>(checked: Checked<Value>): Value {
  if (!checked.ok) throw new BadRequestError(checked.message)
  return checked.value
}
