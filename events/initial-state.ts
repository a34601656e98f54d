import type { Readers } from '../db/database.ts'
import { newestReceived } from '../db/narrow-query.ts'
import { UnreadQuery } from '../db/unread-query.ts'
import { type Channel, type ChannelStatistics, statisticsOfNewChannel } from '../domain/channel.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { MAX_UNREAD_MESSAGES } from '../domain/limits.ts'
import type { Organization } from '../domain/organization-settings.ts'
import { hasRole, isGuest } from '../domain/roles.ts'
import type { Site } from '../domain/server-settings.ts'
import { type UnreadEntry, unreadMessages } from '../domain/unread.ts'
import { apiEmail, avatarUrl, toWireUser, type User } from '../domain/user.ts'
import {
  TRAFFIC_WINDOW_SECONDS,
  toWireChannel,
  toWireSubscription,
  withInheritedNotifications,
} from '../domain/wire-channel.ts'
import type { Output, Schemas } from '../generated/operations.ts'
import { mayKnowChannel, mayReadChannel, maySeeSubscribers } from '../permissions/access-channel.ts'
import type { Actor } from '../permissions/actor.ts'
import { isInGroup } from '../permissions/groups.ts'
import { realmState } from './realm-state.ts'

export interface StateRequest {
  /** Event types whose present state is wanted; null for everything. */
  readonly types: readonly string[] | null
  readonly includeSubscribers: 'true' | 'false' | 'partial'
  readonly clientGravatar: boolean
  readonly allowEmptyTopicName: boolean
  /** Whether the client understands null in a subscription's notification settings. */
  readonly knowsInheritedNotifications: boolean
  /** UNIX seconds. */
  readonly now: number
  readonly site: Site
  readonly organization: Organization
}

export type InitialState = Omit<Output<'register-queue'>, keyof Schemas['QueueState']>

/** The state that events of the fetched types continue (facts/register.md, "fetch_event_types"). */
export async function initialState(read: Readers, actor: Actor, request: StateRequest): Promise<InitialState> {
  const isWanted = (type: string): boolean => request.types === null || request.types.includes(type)
  const channels = isWanted('stream') || isWanted('subscription') ? await channelLists(read, actor, request) : undefined
  return {
    ...(isWanted('realm') && realmState(request.organization, request.site)),
    ...(isWanted('realm_user') && (await userState(read, actor, request))),
    ...(isWanted('stream') && channels && { streams: channels.streams }),
    ...(isWanted('subscription') && channels && withoutUnknownNulls(channels.lists, request)),
    ...(isWanted('message') && { max_message_id: (await newestReceived(read.session, actor)) ?? -1 }),
    ...(isWanted('message') &&
      isWanted('update_message_flags') && { unread_msgs: await unreadState(read, actor, request) }),
  }
}

function withoutUnknownNulls<Lists extends { subscriptions: Parameters<typeof withInheritedNotifications>[0][] }>(
  lists: Lists,
  { knowsInheritedNotifications }: StateRequest,
): Lists {
  if (knowsInheritedNotifications) return lists
  return { ...lists, subscriptions: lists.subscriptions.map(withInheritedNotifications) }
}

async function userState(read: Readers, actor: Actor, request: StateRequest): Promise<Schemas['UserState']> {
  const users = await read.users.all()
  const wire = (user: User) => toWireUser(user, request)
  const { organization, now } = request
  const mayCreate = (setting: 'public' | 'private' | 'web_public'): boolean =>
    isInGroup(organization.settings[`can_create_${setting}_channel_group`], actor, organization, now)
  const avatar = avatarUrl(actor)
  return {
    realm_users: users.filter((user) => user.isActive).map(wire),
    realm_non_active_users: users.filter((user) => !user.isActive).map(wire),
    cross_realm_bots: [],
    user_id: actor.id,
    email: apiEmail(actor),
    delivery_email: actor.email,
    full_name: actor.fullName,
    is_owner: hasRole(actor.role, 'owner'),
    is_admin: hasRole(actor.role, 'administrator'),
    is_moderator: hasRole(actor.role, 'moderator'),
    is_guest: isGuest(actor.role),
    avatar_source: 'G',
    avatar_url: avatar,
    avatar_url_medium: `${avatar}&s=500`,
    can_create_streams: mayCreate('public') || mayCreate('private'),
    can_create_public_streams: mayCreate('public'),
    can_create_private_streams: mayCreate('private'),
    // No channel can be read without an account yet.
    can_create_web_public_streams: false,
    can_invite_others_to_realm: isInGroup(organization.settings.can_invite_users_group, actor, organization, now),
  }
}

/**
 * Lists of channels that `actor` may know of, by what they have to do with them.
 * @param request.onlySubscribed saves the numbers and subscribers of all other channels
 */
export async function channelLists(
  read: Readers,
  actor: Actor,
  request: Pick<StateRequest, 'includeSubscribers' | 'now'> & { readonly onlySubscribed?: true },
) {
  const { now, onlySubscribed } = request
  const own = new Map((await read.subscriptions.ofUser(actor.id)).map((one) => [one.channelId, one]))
  const channels = (await read.channels.all()).filter(
    (channel) =>
      !channel.isArchived && (own.has(channel.id) || (!onlySubscribed && mayKnowChannel(actor.role, channel, false))),
  )
  const statistics = await read.channels.statistics(
    channels.map((channel) => channel.id),
    now - TRAFFIC_WINDOW_SECONDS,
  )
  const statisticsOf = (channel: Channel): ChannelStatistics => statistics.get(channel.id) ?? statisticsOfNewChannel(0)
  const wire = (channel: Channel) => toWireChannel(channel, statisticsOf(channel), now)
  const subscribersOf = await subscriberLists(read, actor, channels, own, request.includeSubscribers)

  const subscriptions = channels.flatMap((channel) => {
    const subscription = own.get(channel.id)
    if (!subscription) return []
    const subscribers = subscribersOf(channel)
    const view = { channel, statistics: statisticsOf(channel), now, ...(subscribers && { subscribers }) }
    return [toWireSubscription(subscription, view)]
  })
  const neverSubscribed = channels
    .filter((channel) => !own.has(channel.id))
    .map((channel) => {
      const subscribers = subscribersOf(channel)
      return { ...wire(channel), ...(subscribers && { subscribers: [...subscribers] }) }
    })
  return {
    streams: channels.map(wire),
    lists: { subscriptions, unsubscribed: [], never_subscribed: neverSubscribed },
    isSubscribed: (channelId: number) => own.has(channelId as ChannelId),
    isReadable: (channel: { stream_id: number; invite_only: boolean }) =>
      mayReadChannel(actor.role, { inviteOnly: channel.invite_only }, own.has(channel.stream_id as ChannelId)),
  }
}

/** Complete lists also for `partial`: a superset is always right (SUBS-5, SUBS-6). */
async function subscriberLists(
  read: Readers,
  actor: Actor,
  channels: readonly Channel[],
  own: ReadonlyMap<ChannelId, unknown>,
  include: StateRequest['includeSubscribers'],
): Promise<(channel: Channel) => readonly UserId[] | undefined> {
  if (include === 'false') return () => undefined
  const subscribers = await read.subscriptions.subscribers(channels.map((channel) => channel.id))
  return (channel) =>
    maySeeSubscribers(actor.role, channel, own.has(channel.id)) ? (subscribers.get(channel.id) ?? []) : []
}

async function unreadState(read: Readers, actor: Actor, request: StateRequest): Promise<Schemas['UnreadMessages']> {
  const unread = await new UnreadQuery(read.session, actor).newest(MAX_UNREAD_MESSAGES + 1)
  const listed = unread.slice(-MAX_UNREAD_MESSAGES)
  const groupIds = listed.flatMap((message) => message.directGroupId ?? [])
  const members = await read.directGroups.members(groupIds)
  const flagged = await read.readState.flagged(actor.id, ['mentioned', 'topic_wildcard_mentioned'])
  const own = await read.subscriptions.ofUser(actor.id)
  const subscribedTo = new Set(own.map((one) => one.channelId))
  const muted = new Set(own.filter((one) => one.isMuted).map((one) => one.channelId))
  const entries = listed.flatMap((message): UnreadEntry[] => {
    const { id, channelId, topic, directGroupId, mentionsChannel } = message
    const isMention = mentionsChannel || flagged.has(id)
    if (directGroupId !== null) {
      return [{ id, isMention, conversation: { kind: 'direct', memberIds: members.get(directGroupId) ?? [] } }]
    }
    // Unread counts only where one is subscribed (architecture decision 3).
    if (channelId === null || !subscribedTo.has(channelId)) return []
    const conversation: UnreadEntry['conversation'] = {
      kind: 'topic',
      channelId,
      topic: topic ?? '',
      isMuted: muted.has(channelId),
    }
    return [{ id, isMention, conversation }]
  })
  return unreadMessages(actor.id, entries, {
    areMoreMissing: unread.length > listed.length,
    allowEmptyTopicName: request.allowEmptyTopicName,
  })
}
