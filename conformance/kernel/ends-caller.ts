import type { Operation } from '../wire/contract.ts'

const ending = new Set(['deactivate-own-user', 'regenerate-own-api-key'])

/** Whether success ends the account that calls, or the credentials with which it does: others are not to call with these afterwards. */
export function endsItsCaller({ id }: Operation): boolean {
  return ending.has(id)
}
