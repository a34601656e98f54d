import type { Values } from '../../deployment/account.ts'
import type { Exchange } from '../../wire/http.ts'
import { listOf } from '../../wire/values.ts'
import type { Cast, Tells, Who } from './cast.ts'

/** Something that is done once, and who is told of it. */
export interface Deed {
  /** In words, as reports have it. */
  readonly name: string
  /** Feature level from which it is told so. */
  readonly from?: number
  /** @returns what tells of it; undefined where it could not be done */
  does(cast: Cast): Promise<Tells | undefined>
  /** Who has to be told, exactly once. */
  readonly hears: readonly Who[]
  /** Who may be told, and need not be; all others must not be. */
  readonly maybe?: readonly Who[]
  /** Fields of the event that are each listener's own; undefined where forms differ. */
  readonly own?: readonly string[] | undefined
}

export const everybody: readonly Who[] = ['actor', 'follower', 'stranger', 'guest', 'bot', 'admin', 'older']
/** Who follows the open channel. */
export const followers: readonly Who[] = ['actor', 'follower', 'guest', 'bot', 'older']
/** Who has the conversation with the follower. */
export const both: readonly Who[] = ['actor', 'follower', 'older']
/** Who may see an open channel without following it. */
export const members: readonly Who[] = ['actor', 'follower', 'stranger', 'bot', 'admin', 'older']

/** Undefined where the request was refused: what an organization may forbid is asked for elsewhere. */
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
