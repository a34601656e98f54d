import type { Operation } from '../wire/contract.ts'

const ending = new Set(['deactivate-own-user', 'regenerate-own-api-key'])

/** Whether success ends the calling account or its credentials, so that nobody can use these afterwards. */
export function endsItsCaller({ id }: Operation): boolean {
  return ending.has(id)
}
