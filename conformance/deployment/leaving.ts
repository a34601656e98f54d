import type { Http, Login } from '../wire/http.ts'
import type { Account } from './account.ts'

export interface Channel {
  readonly id: number
  readonly name: string
}

/** `maker` is an owner where the account that wanted it may not make channels. */
export interface NewChannel extends Channel {
  readonly maker: Account
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

/** Removes default groups with a name of this run, or with channels of this run only. */
export async function removeDefaultGroups(
  admin: Account,
  isOfThisRun: (name: unknown) => boolean,
  channels: ReadonlySet<number>,
): Promise<void> {
  const wanted = { event_types: [], fetch_event_types: ['default_stream_groups'] }
  const { body } = await admin.call('register-queue', wanted)
  await admin.call('delete-queue', { queue_id: body?.queue_id })
  for (const { id, name, streams } of body?.realm_default_stream_groups ?? []) {
    const isOurs = isOfThisRun(name) || (streams.length > 0 && streams.every((one: number) => channels.has(one)))
    if (isOurs) await admin.call('remove-default-stream-group', { group_id: id })
  }
}
