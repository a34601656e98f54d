import { applyEvents } from '../../client/state/apply-events.ts'
import type { ChannelFields } from '../../client/state/channels.ts'
import { withoutDeletedNewest } from '../../client/state/message-changes.ts'
import type { MessageFields } from '../../client/state/messages.ts'
import { byKey } from '../../client/state/order.ts'
import type { RecentDirectFields } from '../../client/state/recent-direct.ts'
import type { ClientState, WireEvent } from '../../client/state/state.ts'
import type { UserTopic } from '../../client/state/unread.ts'
import type { UserFields } from '../../client/state/users.ts'
import type { World } from './world.ts'

/** What the client needs in an answer of POST /register; what an older server does not tell is empty. */
const defaults = {
  ...{ realm_users: [], realm_non_active_users: [], realm_user_groups: [], realm_bots: [], streams: [] },
  ...{ subscriptions: [], unsubscribed: [], never_subscribed: [], user_topics: [], muted_users: [], alert_words: [] },
  drafts: [],
  ...{ starred_messages: [], recent_private_conversations: [], user_settings: {}, user_status: {}, presences: {} },
}

type State = ClientState &
  ChannelFields &
  MessageFields &
  RecentDirectFields &
  UserFields & {
    readonly realm_user_groups: readonly { readonly id: number; readonly members: readonly number[] }[]
    readonly user_topics: readonly UserTopic[]
    readonly muted_users: readonly { readonly id: number }[]
    readonly alert_words: readonly string[]
    readonly drafts: readonly { readonly id: number }[]
    readonly starred_messages: readonly number[]
    readonly user_settings: Readonly<Record<string, unknown>>
    readonly user_status: Readonly<Record<string, unknown>>
    readonly presences: Readonly<Record<string, unknown>>
  }

export const fetchedTypes = [
  ...['alert_words', 'drafts', 'message', 'muted_users', 'presence', 'realm_user', 'realm_user_groups', 'realm_bot'],
  ...['recent_private_conversations', 'starred_messages', 'stream', 'subscription', 'update_message_flags'],
  ...['user_settings', 'user_status', 'user_topic'],
]

const settings = ['starred_message_counts', 'enter_sends', 'high_contrast_mode']
const channelFields = ['name', 'description', 'invite_only']
const ownFields = ['color', 'is_muted', 'pin_to_top', 'push_notifications', 'wildcard_mentions_notify']
const userFields = ['full_name', 'role', 'is_bot', 'timezone']
/** In organizations with more active users nobody's arrival is announced (LIMIT-24); some are made meanwhile. */
const fewUsers = 90

/** What POST /register told a client that asked for the modern form of presence. */
export function stateOf(body: object): ClientState {
  return { ...defaults, ...(body as ClientState), is_slim: true }
}

/**
 * What a client knows of the world's people, channels and messages: once as it works it out from `registered` and the
 * events since, once as POST /register tells it to `present`.
 * @throws Error when an event does not fit what the client was told before
 */
export function views(
  world: World,
  registered: ClientState,
  events: readonly WireEvent[],
  present: ClientState,
): [told: unknown, is: unknown] {
  const ours = events.filter((event) => isOurs(world, event))
  const applied = applyEvents(registered, withoutRepeated(registered as State, ours), () => undefined)
  const [told, is] = withoutDeletedNewest(applied as State, present as State, false)
  const hasFew = mostUsers(registered, events) <= fewUsers
  return [viewOf(world, told, hasFew), viewOf(world, is, hasFew)]
}

/** How many active users there were at most, as far as events tell: other checks and other runs make some, and deactivate them. */
export function mostUsers(registered: ClientState, events: readonly WireEvent[]): number {
  let count = (registered as State).realm_users.length
  let most = count
  for (const { type, op, person } of events) {
    if (type !== 'realm_user') continue
    const { is_active: isActive } = person as { is_active?: boolean }
    if (op === 'add' || isActive === true) count += 1
    if (op === 'remove' || isActive === false) count -= 1
    most = Math.max(most, count)
  }
  return most
}

/**
 * Leaves out channels that come into sight although they are known: deployed servers tell of a private channel again
 * when somebody returns to it.
 */
function withoutRepeated({ streams }: State, events: readonly WireEvent[]): WireEvent[] {
  const known = new Set(streams.map(({ stream_id: id }) => id))
  return events.map((event) => {
    if (event.type !== 'stream') return event
    for (const id of (event.op === 'delete' ? (event.stream_ids ?? []) : []) as number[]) known.delete(id)
    if (event.op !== 'create') return event
    const fresh = (event.streams as readonly { stream_id: number }[]).filter(({ stream_id: id }) => !known.has(id))
    for (const { stream_id: id } of fresh) known.add(id)
    return { ...event, streams: fresh }
  })
}

/** Whether a client of this world reads it: what happens to other users and channels meanwhile does not concern it. */
function isOurs(world: World, event: WireEvent): boolean {
  const users = world.userIds()
  const channels = new Set(world.channels.map(({ id }) => id))
  const ids = (name: string): number[] =>
    ((event[name] ?? []) as { stream_id: number }[]).map(({ stream_id: id }) => id)
  switch (event.type) {
    case 'realm_user':
      return users.has((event.person as { user_id: number }).user_id)
    case 'stream':
    case 'subscription': {
      const named = [event.stream_id as number, ...((event.stream_ids ?? []) as number[])]
      return [...named, ...ids('streams'), ...ids('subscriptions')].some((id) => channels.has(id))
    }
    case 'presence':
      return [event.user_id, ...Object.keys((event.presences ?? {}) as object)].some((id) => users.has(Number(id)))
    default:
      return true
  }
}

function viewOf(world: World, state: State, hasFewUsers: boolean): unknown {
  const users = world.userIds()
  const channels = new Map(world.channels.map((channel) => [channel.id, channel]))
  const messages = new Set(world.messages.map(({ id }) => id))
  const unread = state.unread_msgs ?? { pms: [], streams: [], huddles: [], mentions: [] }
  const isOurTopic = ({ stream_id: id }: { readonly stream_id: number }): boolean => channels.has(id)
  const topicKey = (id: number, topic: string): string => `${channels.get(id)?.name} > ${topic.toLowerCase()}`
  const others = [...state.unsubscribed, ...state.never_subscribed]
  return {
    users: byId(
      [
        ...state.realm_users.map((user) => ({ ...user, is_active: true })),
        ...state.realm_non_active_users.map((user) => ({ ...user, is_active: false })),
      ].filter(({ user_id: id }) => users.has(id)),
      ({ user_id: id }) => id,
      (user) => picked(user, [...userFields, 'is_active']),
    ),
    groups: byId(
      state.realm_user_groups.filter(({ members }) => members.some((id) => users.has(id))),
      ({ id }) => id,
      ({ members }) => inOrder(members.filter((id) => users.has(id))),
    ),
    subscriptions: byId(
      state.subscriptions.filter(isOurTopic),
      ({ stream_id: id }) => id,
      (one) => ({ ...picked(one, [...channelFields, ...ownFields]), subscribers: inOrder(one.subscribers) }),
    ),
    // Servers differ in whether a private channel that one has left is still listed.
    other_channels: byId(
      others.filter((one) => channels.get(one.stream_id)?.isPrivate === false),
      ({ stream_id: id }) => id,
      (one) => ({ ...picked(one, channelFields), subscribers: inOrder(one.subscribers) }),
    ),
    unread_topics: byId(
      unread.streams.filter(isOurTopic),
      ({ stream_id: id, topic }) => topicKey(id, topic),
      ({ unread_message_ids: ids }) => inOrder(ids),
    ),
    unread_direct: byId(
      unread.pms.filter(({ other_user_id: id }) => users.has(id)),
      ({ other_user_id: id }) => id,
      ({ unread_message_ids: ids }) => inOrder(ids),
    ),
    unread_groups: byId(
      unread.huddles.filter(({ user_ids_string: ids }) => ids.split(',').every((id) => users.has(Number(id)))),
      ({ user_ids_string: ids }) => ids,
      ({ unread_message_ids: ids }) => inOrder(ids),
    ),
    mentions: inOrder(unread.mentions.filter((id) => messages.has(id))),
    starred: inOrder(state.starred_messages.filter((id) => messages.has(id))),
    conversations: byId(
      state.recent_private_conversations.filter(({ user_ids: ids }) => ids.every((id) => users.has(id))),
      ({ user_ids: ids }) => inOrder(ids).join(),
      ({ max_message_id: id }) => id,
    ),
    topic_policies: byId(
      state.user_topics.filter(isOurTopic),
      ({ stream_id: id, topic_name: topic }) => topicKey(id, topic),
      ({ visibility_policy: policy }) => policy,
    ),
    statuses: byId(
      Object.entries(state.user_status).filter(([id]) => users.has(Number(id))),
      ([id]) => id,
      ([, status]) => picked(status as object, ['status_text', 'emoji_name']),
    ),
    muted_users: inOrder(state.muted_users.map(({ id }) => id).filter((id) => users.has(id))),
    alert_words: state.alert_words.toSorted(),
    drafts: byKey(state.drafts, ({ id }) => id),
    settings: picked(state.user_settings, settings),
    ...(hasFewUsers && {
      present: Object.keys(state.presences)
        .filter((id) => users.has(Number(id)))
        .toSorted(),
    }),
  }
}

function byId<One>(
  list: readonly One[],
  keyOf: (one: One) => number | string,
  view: (one: One) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(byKey(list, keyOf).map((one) => [keyOf(one), view(one)]))
}

function picked(from: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

function inOrder(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other)
}
