import { BadRequestError } from './errors.ts'

/** Result of validating user input: the value in stored form, or the error message. */
export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string }

export function accept<Value>(value: Value): Checked<Value> {
  return { ok: true, value }
}

export function refuse<Value>(message: string): Checked<Value> {
  return { ok: false, message }
}

/** @throws {BadRequestError} with the error message */
export function accepted<Value>(checked: Checked<Value>): Value {
  if (!checked.ok) throw new BadRequestError(checked.message)
  return checked.value
}
