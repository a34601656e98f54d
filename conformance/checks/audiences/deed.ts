import type { Values } from '../../deployment/account.ts'
import type { Exchange } from '../../wire/http.ts'
import { listOf } from '../../wire/values.ts'
import type { Cast, Tells, Who } from './cast.ts'

/** Something that is done once, and who receives events about it. */
export interface Deed {
  readonly name: string
  /** The feature level from which these events are sent. */
  readonly from?: number
  /** @returns a predicate for its events; undefined if it could not be done */
  does(cast: Cast): Promise<Tells | undefined>
  /** Must receive the event, exactly once. */
  readonly hears: readonly Who[]
  /** May receive it; nobody else may. */
  readonly maybe?: readonly Who[]
  /** Fields of the event that differ between listeners; undefined if the forms differ. */
  readonly own?: readonly string[] | undefined
}

export const everybody: readonly Who[] = ['actor', 'follower', 'stranger', 'guest', 'bot', 'admin', 'older']
/** Subscribers of the open channel. */
export const followers: readonly Who[] = ['actor', 'follower', 'guest', 'bot', 'older']
/** The participants of the conversation. */
export const both: readonly Who[] = ['actor', 'follower', 'older']
/** People who may see an open channel without a subscription. */
export const members: readonly Who[] = ['actor', 'follower', 'stranger', 'bot', 'admin', 'older']

/** Undefined if the request was refused. Other checks cover what an organization may forbid. */
export function done({ status }: Exchange, tells: Tells): Tells | undefined {
  return status === 200 ? tells : undefined
}

export const has =
  (wanted: Values): Tells =>
  (event) =>
    Object.entries(wanted).every(([name, value]) => event[name] === value)

export const ofMessage =
  (type: string, id: number, more: Values = {}): Tells =>
  (event) =>
    has({ type, ...more })(event) && (event.message_id === id || listOf(event.message_ids).includes(id))

export const ofPerson =
  (userId: number, field: string, value: unknown): Tells =>
  ({ type, op, person }) =>
    type === 'realm_user' && op === 'update' && person?.user_id === userId && person[field] === value

export const ofPeers =
  (op: string, userId: number, channelId: number): Tells =>
  ({ type, op: is, user_ids: people, stream_ids: channels }) =>
    type === 'subscription' && is === op && listOf(people).includes(userId) && listOf(channels).includes(channelId)
