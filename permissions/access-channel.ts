import type { Readers } from '../db/repositories.ts'
import { type Channel, channelGroup, READ_BY } from '../domain/channels/channel.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { OrganizationState, Person } from '../domain/organization/organization-state.ts'
import type { ChannelGroupSettingName, GroupSettingValue } from '../domain/user-groups/group-settings.ts'
import { SYSTEM_GROUP_ID } from '../domain/user-groups/system-groups.ts'
import { hasRole, isGuest, type Role } from '../domain/users/roles.ts'
import type { Actor } from './actor.ts'

type ChannelPrivacy = Pick<Channel, 'inviteOnly' | 'historyPublicToSubscribers'>

/**
 * The permissions of one person in one channel. This is the one place where role, privacy, subscription and the
 * channel's group settings meet (levels 349, 354 and 357). Administrators know and administer every channel; to read
 * one, they need access like everybody else. Guests have only their subscriptions, and nothing through groups.
 */
export class ChannelRights {
  readonly #person: Person
  readonly #channel: Pick<Channel, 'inviteOnly' | 'creatorId' | 'groupSettings'>
  readonly #isSubscribed: boolean
  readonly #organization: OrganizationState

  constructor(
    person: Person,
    channel: Pick<Channel, 'inviteOnly' | 'creatorId' | 'groupSettings'>,
    isSubscribed: boolean,
    organization: OrganizationState,
  ) {
    this.#person = person
    this.#channel = channel
    this.#isSubscribed = isSubscribed
    this.#organization = organization
  }

  /** May know its name, description, settings and subscribers: the audience of peer events. */
  get mayKnow(): boolean {
    return this.mayRead || this.mayAdminister
  }

  /** May subscribe and read its messages, including earlier ones if the channel shares its history. */
  get mayRead(): boolean {
    return mayReadChannel(this.#person.role, this.#channel, this.#isSubscribed) || READ_BY.some((one) => this.#has(one))
  }

  get mayAddOthers(): boolean {
    const { can_add_subscribers_group: anywhere } = this.#organization.settings
    return this.mayRead && (this.#isIn(anywhere) || this.#has('can_add_subscribers_group') || this.mayAdminister)
  }

  get mayRemoveOthers(): boolean {
    return this.mayAdminister || (this.mayKnow && this.#has('can_remove_subscribers_group'))
  }

  /** May archive it and change its settings. */
  get mayAdminister(): boolean {
    return hasRole(this.#person.role, 'administrator') || this.#has('can_administer_channel_group')
  }

  #has(setting: ChannelGroupSettingName): boolean {
    return this.#isIn(channelGroup(this.#channel, setting))
  }

  #isIn(value: GroupSettingValue): boolean {
    return !isGuest(this.#person.role) && this.#organization.isIn(value, this.#person)
  }
}

/** Settings whose members know the channel. */
export const KNOWN_BY = ['can_administer_channel_group', ...READ_BY] as const

/**
 * Whether messages may be read by role, privacy and subscription alone: by subscribers, and by members in public
 * channels.
 */
export function mayReadChannel(
  role: Role,
  channel: Pick<ChannelPrivacy, 'inviteOnly'>,
  isSubscribed: boolean,
): boolean {
  return isSubscribed || (!channel.inviteOnly && !isGuest(role))
}

/** Whether messages from before a subscription may be read too. */
export function sharesHistory(channel: ChannelPrivacy): boolean {
  return !channel.inviteOnly || channel.historyPublicToSubscribers
}

/** A channel, and what the caller may do with it. */
export interface FoundChannel {
  readonly channel: Channel
  readonly isSubscribed: boolean
  readonly rights: ChannelRights
}

/**
 * Returns the channel with this ID, archived or not.
 *
 * @throws {BadRequestError} `Invalid channel ID` if it does not exist, or `actor` may not know it
 */
export async function accessChannel(read: Readers, actor: Actor, id: number): Promise<FoundChannel> {
  const found = await find(read, actor, await read.channels.byId(id as ChannelId))
  if (!found) throw new BadRequestError('Invalid channel ID')
  return found
}

/** Same as above by name. Returns undefined if it does not exist, or `actor` may not know it. */
export async function findChannelByName(read: Readers, actor: Actor, name: string): Promise<FoundChannel | undefined> {
  return find(read, actor, await read.channels.byName(name))
}

async function find(read: Readers, actor: Actor, channel: Channel | undefined): Promise<FoundChannel | undefined> {
  if (!channel) return undefined
  const isSubscribed = await read.subscriptions.isSubscribed(actor.id, channel.id)
  const rights = new ChannelRights(actor, channel, isSubscribed, read.organization)
  return rights.mayKnow ? { channel, isSubscribed, rights } : undefined
}

/**
 * Whether all readers of one channel may know another one, so that notices there can name it. Everybody except guests
 * knows all public channels.
 */
export async function isKnownToReaders(
  read: Readers,
  { id, inviteOnly }: Pick<Channel, 'id' | 'inviteOnly'>,
  readIn: Pick<Channel, 'id'>,
): Promise<boolean> {
  return !inviteOnly && !(await read.subscriptions.hasGuestOnlyIn(readIn.id, id))
}

/** Accounts found for channels, by the JSON of the group settings that decide about them. */
export type FoundLists = Map<string, readonly UserId[]>

/**
 * Returns active accounts that know a private channel without a subscription, by ascending ID.
 *
 * @param lists what was found for other channels in the same transaction: a thousand channels may be open to a group of
 *   thousands
 */
export async function knowersWithoutSubscription(
  read: Readers,
  channel: Channel,
  lists: FoundLists,
): Promise<readonly UserId[]> {
  const key = JSON.stringify(KNOWN_BY.map((setting) => channelGroup(channel, setting)))
  const found = lists.get(key)
  if (found) return found
  const administrators = await read.users.administratorIds()
  const list = await strangersWith(read, channel, KNOWN_BY, administrators, ({ mayKnow }) => mayKnow)
  lists.set(key, list)
  return list
}

/** Returns active accounts that can read a private channel without a subscription, by ascending ID. */
export function readersWithoutSubscription(read: Readers, channel: Channel): Promise<UserId[]> {
  return strangersWith(read, channel, READ_BY, [], ({ mayRead }) => mayRead)
}

/**
 * Returns active accounts that have a permission without a subscription, by ascending ID.
 *
 * @param settings that give the permission
 * @param others who may have it besides those in the settings
 */
async function strangersWith(
  read: Readers,
  channel: Channel,
  settings: readonly ChannelGroupSettingName[],
  others: readonly UserId[],
  isMeant: (rights: ChannelRights) => boolean,
): Promise<UserId[]> {
  const values = settings.map((setting) => channelGroup(channel, setting))
  const named = values.flatMap((value) => (typeof value === 'number' ? [] : value.direct_members)) as UserId[]
  const groupIds = values.flatMap((value) => (typeof value === 'number' ? [value] : value.direct_subgroups))
  const members = await read.userGroups.memberIds(
    groupIds.filter((id) => id !== SYSTEM_GROUP_ID['role:nobody']),
    read.organization.waitingPeriodStart,
  )
  const candidates = await read.users.byIds([...others, ...named, ...members])
  return candidates
    .filter((user) => user.isActive && isMeant(new ChannelRights(user, channel, false, read.organization)))
    .map((user) => user.id)
}
