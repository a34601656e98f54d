import { Pauses } from '../db/pauses.ts'
import type { Tx } from '../db/repositories.ts'
import { type Channel, channelGroup } from '../domain/channels/channel.ts'
import { toWireChannel } from '../domain/channels/wire-channel.ts'
import { chunksOf } from '../domain/chunks.ts'
import type { Audience } from '../domain/events/audience.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { OrganizationState } from '../domain/organization/organization-state.ts'
import { namesGroup } from '../domain/user-groups/group-setting-values.ts'
import type { User } from '../domain/users/user.ts'
import { ChannelRights, KNOWN_BY } from '../permissions/access-channel.ts'

/** Who may have come into a group or left it: these users, and who is in these groups. */
interface Regrouped {
  readonly groupId: number
  readonly userIds?: readonly UserId[]
  readonly groupIds?: readonly number[]
}

/** Channels that an event tells of at once. */
const A_PIECE = 100

/**
 * Tells people who are in a group now, or no more, which private channels they therefore know of without following them, and
 * which they do not any more. Costs one look-up where no private channel names a group that this one is part of. People and channels
 * are gone through together only once for all channels with the same settings, and channels that concern the same people share events.
 * @param before the organization as it was before the change, of which the tables and the log have been told
 */
export async function tellSightByGroup(
  tx: Tx,
  before: OrganizationState,
  { groupId, userIds = [], groupIds = [] }: Regrouped,
): Promise<void> {
  const pauses = new Pauses()
  const { organization: after } = tx
  const concerned = after.groups.above(groupId)
  const channels = (await tx.channels.privateWith(KNOWN_BY, pauses)).filter((channel) =>
    KNOWN_BY.some((setting) => concerned.values().some((id) => namesGroup(channelGroup(channel, setting), id))),
  )
  if (channels.length === 0) return
  const members = await tx.userGroups.memberIds(groupIds, after.waitingPeriodStart)
  const people = (await tx.users.byIds([...new Set([...userIds, ...members])], pauses)).filter((user) => user.isActive)
  for (const alike of Map.groupBy(channels, settingsOf).values()) {
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
    for (const piece of chunksOf(alike, A_PIECE)) {
      const subscribers = await tx.subscriptions.subscribers(piece.map(({ id }) => id))
      tellLost(tx, piece, subscribers, lost)
      tellWon(tx, piece, subscribers, won)
      await pauses.letOthers()
    }
  }
}

type Subscribers = ReadonlyMap<ChannelId, readonly UserId[]>

/** Whatever decides who knows of a private channel without following it. */
function settingsOf(channel: Channel): string {
  return JSON.stringify(KNOWN_BY.map((setting) => channelGroup(channel, setting)))
}

function tellLost(tx: Tx, channels: readonly Channel[], subscribers: Subscribers, lost: ReadonlySet<UserId>): void {
  for (const { audience, told } of byStrangers(channels, subscribers, lost)) {
    const stream_ids = told.map(({ id }) => id)
    const streams = stream_ids.map((stream_id) => ({ stream_id }))
    tx.events.append({ type: 'stream', op: 'delete', stream_ids, streams }, audience)
  }
}

function tellWon(tx: Tx, channels: readonly Channel[], subscribers: Subscribers, won: ReadonlySet<UserId>): void {
  for (const { audience, told } of byStrangers(channels, subscribers, won)) {
    tx.events.append({ type: 'stream', op: 'create', streams: told.map(toWireChannel) }, audience)
    const followed = Map.groupBy(told, ({ id }) => (subscribers.get(id) ?? []).join())
    for (const [ids, alike] of followed) {
      if (ids === '') continue
      const [user_ids, stream_ids] = [ids.split(',').map(Number), alike.map(({ id }) => id)]
      tx.events.append({ type: 'subscription', op: 'peer_add', stream_ids, user_ids }, audience)
    }
  }
}

/** Channels together of which the same of `people` are to hear, because they do not follow them. */
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
