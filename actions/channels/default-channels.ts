import type { Readers, Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { MAX_DEFAULT_CHANNEL_GROUPS, MAX_DEFAULT_CHANNELS, MAX_DEFAULT_GROUP_CHANNELS } from '../../domain/limits.ts'
import { nameKey } from '../../domain/text/text-keys.ts'
import { isGuest, type Role } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import type { Schemas } from '../../generated/operations.ts'
import { announceToSelf } from '../announce-to-self.ts'

type Group = Schemas['DefaultChannelGroup']

/**
 * Subscribes new members to these channels as well.
 *
 * @throws {BadRequestError} if one is private or archived, or there would be too many
 */
export async function addDefaultChannels(tx: Tx, channels: readonly Channel[]): Promise<void> {
  refuseUnlessOpen(channels)
  const present = new Set(await tx.defaultChannels.ids())
  const added = channels.map(({ id }) => id).filter((id) => !present.has(id))
  if (added.length === 0) return
  if (present.size + added.length > MAX_DEFAULT_CHANNELS) {
    throw new BadRequestError(`New members can follow at most ${MAX_DEFAULT_CHANNELS} channels.`)
  }
  await tx.defaultChannels.add(added)
  await announceDefaultChannels(tx)
}

/** Present subscribers stay. */
export async function removeDefaultChannel(tx: Tx, id: ChannelId): Promise<void> {
  if (await tx.defaultChannels.remove(id)) await announceDefaultChannels(tx)
}

/** Removes a channel that nobody can join any more from the defaults of new users. */
export async function removeFromDefaults(tx: Tx, id: ChannelId): Promise<void> {
  await removeDefaultChannel(tx, id)
  if (await tx.defaultChannels.leaveGroups(id)) await announceDefaultGroups(tx)
}

/** @throws {BadRequestError} if the name is taken, a channel cannot be in a group, or there would be too many */
export async function createDefaultGroup(
  tx: Tx,
  name: string,
  description: string,
  channels: readonly Channel[],
): Promise<void> {
  const groups = await tx.defaultChannels.groups()
  refuseTakenName(groups, name)
  if (groups.length >= MAX_DEFAULT_CHANNEL_GROUPS) {
    throw new BadRequestError(`There can be at most ${MAX_DEFAULT_CHANNEL_GROUPS} groups of channels for new users.`)
  }
  await refuseUnlessFit(tx, groups, channels)
  const id = await tx.defaultChannels.insertGroup(name, description)
  await tx.defaultChannels.addToGroup(
    id,
    channels.map((channel) => channel.id),
  )
  await announceDefaultGroups(tx)
}

/** Does nothing if nothing changes. @throws {BadRequestError} if another group has the name */
export async function describeDefaultGroup(tx: Tx, id: number, wanted: Partial<Group>): Promise<void> {
  const groups = await tx.defaultChannels.groups()
  const group = groupIn(groups, id)
  const { name = group.name, description = group.description } = wanted
  refuseTakenName(
    groups.filter((one) => one.id !== id),
    name,
  )
  if (name === group.name && description === group.description) return
  await tx.defaultChannels.describeGroup(id, name, description)
  await announceDefaultGroups(tx)
}

/** @throws {BadRequestError} if a channel is in the group already or cannot be, or there would be too many */
export async function addToDefaultGroup(tx: Tx, id: number, channels: readonly Channel[]): Promise<void> {
  const groups = await tx.defaultChannels.groups()
  const { name, streams } = groupIn(groups, id)
  const again = channels.find((channel) => streams.includes(channel.id))
  if (again) throw new BadRequestError(`Channel '${again.name}' is in the default channel group '${name}' already`)
  await refuseUnlessFit(tx, groups, channels)
  if (channels.length === 0) return
  await tx.defaultChannels.addToGroup(
    id,
    channels.map((channel) => channel.id),
  )
  await announceDefaultGroups(tx)
}

/** @throws {BadRequestError} if a channel is not in the group */
export async function removeFromDefaultGroup(tx: Tx, id: number, channels: readonly Channel[]): Promise<void> {
  const { name, streams } = groupIn(await tx.defaultChannels.groups(), id)
  const stranger = channels.find((channel) => !streams.includes(channel.id))
  if (stranger) throw new BadRequestError(`Channel '${stranger.name}' is not in the default channel group '${name}'`)
  if (channels.length === 0) return
  await tx.defaultChannels.removeFromGroup(
    id,
    channels.map((channel) => channel.id),
  )
  await announceDefaultGroups(tx)
}

export async function removeDefaultGroup(tx: Tx, id: number): Promise<void> {
  groupIn(await tx.defaultChannels.groups(), id)
  await tx.defaultChannels.removeGroup(id)
  await announceDefaultGroups(tx)
}

/**
 * Returns the channels of these names, each once. For administrators, who may know every channel.
 *
 * @throws {BadRequestError} if no channel has a name
 */
export async function channelsNamed(read: Readers, names: readonly string[]): Promise<Channel[]> {
  const found = await read.channels.byNames(names.map((name) => name.trim()))
  const channels = names.map((name) => {
    const channel = found.get(nameKey(name.trim()))
    if (!channel) throw new BadRequestError(`Invalid channel name '${name}'`)
    return channel
  })
  return [...new Set(channels)]
}

/** Tells a user whose role becomes `role` the defaults of new users, which guests do not get. */
export async function announceDefaultChannelsShown(tx: Tx, { id, role: former }: User, role: Role): Promise<void> {
  if (isGuest(role) === isGuest(former)) return
  const [ids, groups] = [await tx.defaultChannels.ids(), await tx.defaultChannels.groups()]
  const shown = <One>(list: One[]): One[] => (isGuest(role) ? [] : list)
  if (ids.length > 0) announceToSelf(tx, id, { type: 'default_streams', default_streams: shown(ids) })
  if (groups.length > 0) announceToSelf(tx, id, { type: 'default_stream_groups', default_stream_groups: shown(groups) })
}

async function announceDefaultChannels(tx: Tx): Promise<void> {
  const ids = await tx.defaultChannels.ids()
  tx.events.append({ type: 'default_streams', default_streams: ids }, { to: 'members' })
}

async function announceDefaultGroups(tx: Tx): Promise<void> {
  const groups = await tx.defaultChannels.groups()
  tx.events.append({ type: 'default_stream_groups', default_stream_groups: groups }, { to: 'members' })
}

function groupIn(groups: readonly Group[], id: number): Group {
  const group = groups.find((one) => one.id === id)
  if (!group) throw new BadRequestError(`Default channel group with id '${id}' does not exist.`)
  return group
}

function refuseTakenName(groups: readonly Group[], name: string): void {
  if (!groups.some((group) => nameKey(group.name) === nameKey(name))) return
  throw new BadRequestError(`Default channel group '${name}' already exists`)
}

function refuseUnlessOpen(channels: readonly Channel[]): void {
  if (channels.some((channel) => channel.isArchived)) throw new BadRequestError('Invalid channel ID')
  if (channels.some((channel) => channel.inviteOnly)) {
    throw new BadRequestError('Private channels cannot be made default.')
  }
}

/** Checks whether the channels may be added to a group, in addition to those in `groups`. */
async function refuseUnlessFit(tx: Tx, groups: readonly Group[], channels: readonly Channel[]): Promise<void> {
  refuseUnlessOpen(channels)
  const defaults = new Set(await tx.defaultChannels.ids())
  const followed = channels.find((channel) => defaults.has(channel.id))
  if (followed) throw new BadRequestError(`New members follow channel '${followed.name}' anyway`)
  const count = groups.reduce((sum, { streams }) => sum + streams.length, channels.length)
  if (count > MAX_DEFAULT_GROUP_CHANNELS) {
    throw new BadRequestError(
      `Groups of channels for new users can have at most ${MAX_DEFAULT_GROUP_CHANNELS} channels.`,
    )
  }
}
