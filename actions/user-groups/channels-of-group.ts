import type { Tx } from '../../db/repositories.ts'
import { type Channel, channelGroup } from '../../domain/channels/channel.ts'
import { ofArchived } from '../../domain/channels/channel-update.ts'
import { toWireChannel } from '../../domain/channels/wire-channel.ts'
import { chunksForEvents, chunksOf } from '../../domain/chunks.ts'
import type { Audience } from '../../domain/events/audience.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../domain/organization/organization-state.ts'
import type { GroupSettingValue } from '../../domain/user-groups/group-settings.ts'
import type { User } from '../../domain/users/user.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { ChannelRights, KNOWN_BY } from '../../permissions/access-channel.ts'
import { disappearance } from '../channels/channel-audience.ts'

/** Users who may have entered or left a group: these users, and the members of these groups. */
interface Regrouped {
  readonly groupId: number
  readonly userIds?: readonly UserId[]
  readonly groupIds?: readonly number[]
}

/** Maximum number of channels in one event. */
const CHANNELS_AN_EVENT = 100

/**
 * Tells users who entered or left a group which private channels they may know because of it, without a subscription,
 * and which they may know no longer. Costs one look-up if no private channel names such a group. Channels with the same
 * settings are checked once for all users, and channels with the same audience share events.
 *
 * @param before the organization before the change, which is already in the tables and the log
 */
export async function announceChannelsOfGroup(
  tx: Tx,
  before: OrganizationState,
  { groupId, userIds = [], groupIds = [] }: Regrouped,
): Promise<void> {
  const pauses = new Pauses()
  const { organization: after } = tx
  const concerned = after.groups.above(groupId)
  const bySettings = new Map<string, Channel[]>()
  for (const channel of await tx.channels.privateWith(KNOWN_BY, pauses)) {
    await pauses.letOthers()
    if (!KNOWN_BY.some((setting) => namesAny(channelGroup(channel, setting), concerned))) continue
    const key = settingsOf(channel)
    const alike = bySettings.get(key)
    if (alike) alike.push(channel)
    else bySettings.set(key, [channel])
  }
  if (bySettings.size === 0) return
  const members = await tx.userGroups.memberIds(groupIds, after.waitingPeriodStart)
  const people = (await tx.users.byIds([...new Set([...userIds, ...members])], pauses)).filter((user) => user.isActive)
  for (const alike of bySettings.values()) {
    const [first] = alike
    if (!first) continue
    const knows = (user: User, organization: OrganizationState): boolean =>
      new ChannelRights(user, first, false, organization).mayKnow
    const [lost, won] = [new Set<UserId>(), new Set<UserId>()]
    for (const user of people) {
      const [knew, knowsNow] = [knows(user, before), knows(user, after)]
      if (knew !== knowsNow) (knowsNow ? won : lost).add(user.id)
      await pauses.letOthers()
    }
    for (const piece of chunksOf(alike, CHANNELS_AN_EVENT)) {
      const subscribers = await tx.subscriptions.subscribers(piece.map(({ id }) => id))
      announceChannelsHidden(tx, piece, subscribers, lost)
      announceChannelsShown(tx, piece, subscribers, won)
      await pauses.letOthers()
    }
  }
}

function namesAny(value: GroupSettingValue, groupIds: ReadonlySet<number>): boolean {
  return typeof value === 'number' ? groupIds.has(value) : value.direct_subgroups.some((id) => groupIds.has(id))
}

type Subscribers = ReadonlyMap<ChannelId, readonly UserId[]>

/** All settings that decide who may know a private channel without a subscription, and which clients are told. */
function settingsOf(channel: Channel): string {
  return JSON.stringify([channel.isArchived, ...KNOWN_BY.map((setting) => channelGroup(channel, setting))])
}

function announceChannelsHidden(
  tx: Tx,
  channels: readonly Channel[],
  subscribers: Subscribers,
  lost: ReadonlySet<UserId>,
): void {
  for (const { audience, told } of byStrangers(channels, subscribers, lost)) {
    tx.events.append(disappearance(...told), audience)
  }
}

function announceChannelsShown(
  tx: Tx,
  channels: readonly Channel[],
  subscribers: Subscribers,
  won: ReadonlySet<UserId>,
): void {
  for (const { audience, told } of byStrangers(channels, subscribers, won)) {
    for (const streams of chunksForEvents(told.map(toWireChannel))) {
      tx.events.append({ type: 'stream', op: 'create', streams }, audience)
    }
    const followed = Map.groupBy(told, ({ id }) => (subscribers.get(id) ?? []).join())
    for (const [ids, alike] of followed) {
      if (ids === '') continue
      const [user_ids, stream_ids] = [ids.split(',').map(Number), alike.map(({ id }) => id)]
      const peers = { type: 'subscription', op: 'peer_add', stream_ids, user_ids } as const
      tx.events.append({ ...peers, ...ofArchived(...alike) }, audience)
    }
  }
}

/** Groups channels by those of `people` who have no subscription to them, because these share events. */
function byStrangers(
  channels: readonly Channel[],
  subscribers: Subscribers,
  people: ReadonlySet<UserId>,
): { readonly audience: Audience; readonly told: readonly Channel[] }[] {
  if (people.size === 0) return []
  const followersOf = ({ id }: Channel): string => (subscribers.get(id) ?? []).filter((one) => people.has(one)).join()
  return [...Map.groupBy(channels, followersOf)].flatMap(([followers, told]) => {
    const followerIds = new Set(followers.split(','))
    const userIds = [...people].filter((id) => !followerIds.has(String(id)))
    return userIds.length === 0 ? [] : [{ audience: { to: 'users', userIds } as const, told }]
  })
}
