import type { Tx } from '../../db/repositories.ts'
import { type Channel, colorOf, type Subscription } from '../../domain/channels/channel.ts'
import {
  type InheritedNotifications,
  inheritedNotifications,
  toWireChannel,
  toWireSubscription,
} from '../../domain/channels/wire-channel.ts'
import { chunksForEvents } from '../../domain/chunks.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { MAX_SUBSCRIPTION_EVENT_BYTES } from '../../domain/limits.ts'
import type { User } from '../../domain/users/user.ts'
import { userSettings } from '../../domain/users/user-settings.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { ChannelRights, type FoundLists } from '../../permissions/access-channel.ts'
import { except, knowersOf } from '../channels/channel-audience.ts'
import { addMetInChannel, announceUsersMet, type UsersByViewer } from '../users/user-visibility.ts'

/** Colours that a user wants for their new subscriptions. */
export interface ColorWish {
  readonly userId: UserId
  /** `#rrggbb`, lower case. */
  readonly colors: ReadonlyMap<ChannelId, string>
}

export interface SubscribeResult {
  /** Channels to which each user was newly subscribed. */
  readonly subscribed: Map<UserId, Channel[]>
  readonly alreadySubscribed: Map<UserId, Channel[]>
}

/**
 * Subscribes all of `users` to all of `channels`, and announces it: the channel to those who did not know it, the
 * subscription to its user, the new subscribers to everybody who sees the list. Other requests read in between
 * (SEC-LOOP-4). The caller has checked permissions.
 *
 * @param channels as read in this transaction, because the events contain them
 */
export async function subscribeUsers(
  tx: Tx,
  channels: readonly Channel[],
  users: readonly User[],
  wish?: ColorWish,
): Promise<SubscribeResult> {
  const channelIds = channels.map((channel) => channel.id)
  const pauses = new Pauses()
  const before = await tx.subscriptions.subscribers(channelIds, pauses)
  const colorsUsed = await tx.subscriptions.counts(
    users.map((user) => user.id),
    pauses,
  )
  const result: SubscribeResult = { subscribed: new Map(), alreadySubscribed: new Map() }
  const views: ChannelView[] = []
  const met: UsersByViewer = new Map()

  for (const channel of channels) {
    const subscribersBefore = before.get(channel.id) ?? []
    const isSubscribed = new Set(subscribersBefore)
    const added = users.filter((user) => !isSubscribed.has(user.id))
    for (const user of users) {
      const lists = isSubscribed.has(user.id) ? result.alreadySubscribed : result.subscribed
      const list = lists.get(user.id)
      if (list) list.push(channel)
      else lists.set(user.id, [channel])
    }
    await pauses.letOthers()
    if (added.length === 0) continue
    const withColors = added.map((user) => {
      const used = colorsUsed.get(user.id) ?? 0
      colorsUsed.set(user.id, used + 1)
      return { id: user.id, color: colorOf(used) }
    })
    await addMetInChannel(tx, met, channel.id, added, pauses)
    await tx.subscriptions.subscribe(channel.id, withColors, await tx.events.lockedHead(), pauses)
    const addedIds = new Set(added.map((user) => user.id))
    const color = wish && addedIds.has(wish.userId) ? wish.colors.get(channel.id) : undefined
    if (wish && color !== undefined) {
      await tx.subscriptions.change(wish.userId, channel.id, { setting: 'color', value: color })
    }
    const subscribers = [...subscribersBefore, ...added.map((user) => user.id)].toSorted((a, b) => a - b)
    views.push({ channel: { ...channel, subscriberCount: subscribers.length }, added, addedIds, subscribers })
  }
  await announceUsersMet(tx, met)
  await appendEvents(tx, views, pauses)
  return result
}

interface ChannelView {
  /** Including the new subscribers. */
  readonly channel: Channel
  readonly added: readonly User[]
  readonly addedIds: ReadonlySet<UserId>
  readonly subscribers: readonly UserId[]
}

async function appendEvents(tx: Tx, views: readonly ChannelView[], pauses: Pauses): Promise<void> {
  const append: Tx['events']['append'] = (...event) => {
    tx.events.append(...event)
    if (tx.events.bodyBytes > MAX_SUBSCRIPTION_EVENT_BYTES) {
      throw new BadRequestError('This is too much for one request. Divide it.')
    }
  }
  for (const { channel, added } of views) {
    await pauses.letOthers()
    const newlyKnowing = added.filter((user) => !new ChannelRights(user, channel, false, tx.organization).mayKnow)
    if (newlyKnowing.length === 0) continue
    append(
      { type: 'stream', op: 'create', streams: [toWireChannel(channel)] },
      { to: 'users', userIds: newlyKnowing.map((user) => user.id) },
    )
  }
  // Users whose new subscriptions look the same share an event: a channel with 10,000 new subscribers has a handful.
  const own = new Map<ChannelId, ReadonlyMap<UserId, Subscription>>()
  for (const { channel, addedIds } of views) {
    own.set(channel.id, await tx.subscriptions.toChannel(channel.id, [...addedIds], pauses))
  }
  const shared = new Map<string, NewSubscriptions>()
  const newIds = new Set(views.flatMap(({ added }) => added.map((user) => user.id)))
  const settingsOf = await tx.users.settings([...newIds], pauses)
  for (const userId of newIds) {
    const mine = views.filter(({ addedIds }) => addedIds.has(userId))
    const settings = mine.flatMap(({ channel }) => own.get(channel.id)?.get(userId) ?? [])
    const inherited = inheritedNotifications(settingsOf.get(userId) ?? userSettings({}))
    const key = JSON.stringify([inherited, settings.map((one) => ({ ...one, userId: 0 }))])
    const group = shared.get(key)
    if (group) group.userIds.push(userId)
    else {
      const subscriptions = mine.flatMap((view, index) =>
        settings[index] ? [wireSubscription(view, settings[index])] : [],
      )
      shared.set(key, { subscriptions, inherited, userIds: [userId] })
    }
    await pauses.letOthers()
  }
  for (const { subscriptions, inherited, userIds } of shared.values()) {
    for (const some of chunksForEvents(subscriptions)) {
      append({ type: 'subscription', op: 'add', subscriptions: some, inherited }, { to: 'users', userIds })
      await pauses.letOthers()
    }
  }
  const lists: FoundLists = new Map()
  for (const { channel, added } of views) {
    const userIds = added.map((user) => user.id)
    append(
      { type: 'subscription', op: 'peer_add', stream_ids: [channel.id], user_ids: userIds },
      // New subscribers get the whole list in their own event.
      except(await knowersOf(tx, channel, lists), userIds),
    )
    await pauses.letOthers()
  }
}

type WireSubscription = ReturnType<typeof toWireSubscription>

/** An event text that several users share. */
interface NewSubscriptions {
  readonly subscriptions: WireSubscription[]
  readonly inherited: InheritedNotifications
  readonly userIds: UserId[]
}

function wireSubscription({ channel, subscribers }: ChannelView, subscription: Subscription): WireSubscription {
  return toWireSubscription(subscription, { channel, subscribers })
}
