import type { Http, Login } from '../wire/http.ts'
import type { Account } from './account.ts'

export interface Channel {
  readonly id: number
  readonly name: string
}

export interface MadeChannel extends Channel {
  /** Undefined if an interruption has cut off the answer that names it. */
  readonly maker?: Account
}

/**
 * All creators archive their own channels and then deactivate themselves: a single account would wait ten minutes for
 * rate limits. Administrators do it for accounts that have no requests left.
 *
 * @returns ids of the channels that are archived
 */
export async function letGo(http: Http, channels: readonly MadeChannel[], people: readonly Login[]) {
  const gone: number[] = []
  for (const { id, maker } of channels) {
    if (maker === undefined || maker.requestsLeft < 1) continue
    const answer = await maker.send({ method: 'DELETE', path: `/api/v1/streams/${id}` })
    if (answer.status === 200) gone.push(id)
  }
  // Not repeated after a 429, because some checks use up an account's rate limit.
  for (const as of people) await http.sendOnce({ method: 'DELETE', path: '/api/v1/users/me', as, caller: 'member' })
  return gone
}
