import type { Http, Login } from '../wire/http.ts'
import type { Account } from './account.ts'

export interface Channel {
  readonly id: number
  readonly name: string
}

export interface MadeChannel extends Channel {
  /** Undefined if an interruption cut off the answer that creates the channel. */
  readonly maker?: Account
}

/**
 * All creators archive their own channels and then deactivate themselves: a single account would wait ten minutes for
 * rate limits. Administrators do it for accounts that have no requests left.
 */
export async function letGo(http: Http, channels: readonly MadeChannel[], people: readonly Login[]) {
  for (const { id, maker } of channels) {
    if (maker === undefined || maker.requestsLeft < 1) continue
    await maker.send({ method: 'DELETE', path: `/api/v1/streams/${id}` })
  }
  // Not repeated after a 429, because some checks use up an account's rate limit.
  for (const as of people) await http.sendOnce({ method: 'DELETE', path: '/api/v1/users/me', as, caller: 'member' })
}
