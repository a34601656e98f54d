import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { nameKey } from '../../domain/text/text-keys.ts'
import { checkColor } from '../../domain/users/personal-settings.ts'
import type { User } from '../../domain/users/user.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { Schemas } from '../../generated/operations.ts'
import { ChannelRights, type FoundLists } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import {
  type AcceptedWishes,
  acceptWishes,
  type ChannelText,
  type ChannelWishes,
  channelText,
  createChannelFor,
} from '../channels/create-channel.ts'
import { addDefaultChannels } from '../channels/default-channels.ts'
import { subscribeUsers } from './subscribe-users.ts'

/** A channel as the request describes it. */
export interface WantedChannel extends ChannelText {
  /** `#rrggbb`, for the caller; if undefined, the server chooses. */
  readonly color: string | undefined
}

/**
 * Maximum number of subscriptions that one request may create. This many block everybody's writes for half a second.
 */
export const MAX_PAIRS = 20_000
/** Maximum number of subscriptions that one request may end. Each marks the channel's unread messages as read. */
export const MAX_ENDING_PAIRS = 1000

/**
 * Returns each channel once with its rendered description; call it before the transaction. @throws {BadRequestError}
 * for an invalid name or description
 */
export function wantedChannels(requests: readonly Schemas['SubscriptionRequest'][]): WantedChannel[] {
  const wanted = requests.map(({ color, ...text }) => ({
    ...channelText(text),
    color: color === undefined ? undefined : checkColor(color),
  }))
  return [...new Map(wanted.map((one) => [nameKey(one.name), one])).values()]
}

/** @throws {BadRequestError} if one request affects more than `most` subscriptions */
export function refuseTooManyPairs(channels: number, users: number, most: number): void {
  if (channels * users <= most) return
  throw new BadRequestError(`Too many subscriptions at once (maximum ${most}, principals times channels).`)
}

export interface JoinOptions {
  /** Settings for channels that do not exist yet. */
  readonly wishes: ChannelWishes
  /** Whether a channel that the actor cannot access fails the request; otherwise it is only listed. */
  readonly isRefusalFatal: boolean
}

/** Result of subscribing. */
export interface Joining {
  readonly answer: Joined
  /** Channels to which each user was newly subscribed. */
  readonly subscribed: ReadonlyMap<UserId, readonly Channel[]>
  /** Channels that were created. */
  readonly made: readonly Channel[]
}

/** Names of channels by user ID, and those that the actor cannot access. */
export interface Joined {
  readonly subscribed: Record<string, string[]>
  readonly already_subscribed: Record<string, string[]>
  readonly unauthorized: string[]
}

/** Subscribes `users` to the channels, and creates those that do not exist yet. */
export async function joinChannels(
  tx: Tx,
  actor: Actor,
  wanted: readonly WantedChannel[],
  users: readonly User[],
  { wishes, isRefusalFatal }: JoinOptions,
): Promise<Joining> {
  const isForOthers = users.some((user) => user.id !== actor.id)
  const known = await tx.channels.byNames(wanted.map((one) => one.name))
  const unauthorized: string[] = []
  const channels: Channel[] = []
  const made: Channel[] = []
  const colors = new Map<ChannelId, string>()
  const pauses = new Pauses()
  let settings: AcceptedWishes | undefined
  const lists: FoundLists = new Map()
  const create = async (text: ChannelText): Promise<Channel | undefined> => {
    settings ??= await acceptWishes(
      tx,
      actor,
      wishes,
      wanted.filter(({ name }) => !known.has(nameKey(name))),
    )
    return createChannelFor(tx, actor, text, settings, lists)
  }
  for (const one of wanted) {
    await pauses.letOthers()
    const found = known.get(nameKey(one.name))
    const channel = found ?? (await create(one))
    // Names were looked up in this transaction, so only another process on the same database can have created the
    // channel.
    if (!channel) throw new BadRequestError(`Channel '${one.name}' already exists`)
    if (!found) made.push(channel)
    // The creator of a channel counts as a subscriber already.
    const isInside = found === undefined || (await tx.subscriptions.isSubscribed(actor.id, found.id))
    const rights = new ChannelRights(actor, channel, isInside, tx.organization)
    if (found && (found.isArchived || !rights.mayRead)) {
      unauthorized.push(one.name)
      continue
    }
    if (isForOthers && !rights.mayAddOthers) throw new BadRequestError('Insufficient permission')
    channels.push(channel)
    if (one.color !== undefined) colors.set(channel.id, one.color)
  }
  if (unauthorized.length > 0 && isRefusalFatal) {
    throw new BadRequestError(`Unable to access channel (${unauthorized.join(', ')}).`)
  }
  if (wishes.is_default_stream) await addDefaultChannels(tx, made)
  const { subscribed, alreadySubscribed } = await subscribeUsers(tx, channels, users, {
    userId: actor.id,
    colors,
  })
  const answer = {
    subscribed: namesByUser(subscribed),
    already_subscribed: namesByUser(alreadySubscribed),
    unauthorized,
  }
  return { answer, subscribed, made }
}

function namesByUser(channels: ReadonlyMap<UserId, readonly Channel[]>): Record<string, string[]> {
  return Object.fromEntries([...channels].map(([id, list]) => [id, list.map((channel) => channel.name)]))
}
