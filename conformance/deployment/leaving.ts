import type { Http, Login } from '../wire/http.ts'
import type { Account } from './account.ts'

export interface Channel {
  readonly id: number
  readonly name: string
}

export interface MadeChannel extends Channel {
  /** Undefined where an interruption has cut off who it was. */
  readonly maker?: Account
}

/**
 * Everybody archives the channels that they made, and then deactivates themselves: one account that did it for all of a run would
 * wait for the limits of the server for ten minutes. Whoever may send nothing for now leaves it to the administrators.
 *
 * @returns IDs of the channels that are gone
 */
export async function letGo(
  http: Http,
  channels: readonly MadeChannel[],
  people: readonly Login[],
): Promise<readonly number[]> {
  const gone: number[] = []
  for (const { id, maker } of channels) {
    if (maker === undefined || maker.requestsLeft < 1) continue
    const answer = await maker.send({ method: 'DELETE', path: `/api/v1/streams/${id}` })
    if (answer.status === 200) gone.push(id)
  }
  // Not again after a 429: some checks use up what somebody may send.
  for (const as of people) await http.sendOnce({ method: 'DELETE', path: '/api/v1/users/me', as, caller: 'member' })
  return gone
}
