import { isDeepStrictEqual } from 'node:util'
import type { Channel } from '../domain/channels/channel.ts'
import type { LogEvent, LoggedEvent } from '../domain/events/log-event.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { OrganizationState } from '../domain/organization/organization-state.ts'
import type { GroupSettingValue } from '../domain/user-groups/group-settings.ts'
import { isSystemGroupId } from '../domain/user-groups/system-groups.ts'
import type { UserGroupDetails } from '../domain/user-groups/wire-user-group.ts'
import type { User } from '../domain/users/user.ts'
import { Pauses } from '../event-loop/pauses.ts'
import { KeptRows, type RowSource } from './kept-rows.ts'
import { MessagePlaces, type PlacesOf, placesInTable } from './read-state/message-places.ts'
import { bindReaders, type Readers } from './repositories.ts'
import type { Session } from './session.ts'

/** Bytes of an ID in a list: in the row, in its JSON text, and in that text as UTF-8. */
const LISTED_BYTES = 24

/** Counts the users and groups in these settings. Each may list up to a thousand, which is most of such a row. */
function listedIn(settings: Readonly<Record<string, GroupSettingValue | undefined>>): number {
  let count = 0
  for (const value of Object.values(settings)) {
    if (typeof value === 'object') count += value.direct_members.length + value.direct_subgroups.length
  }
  return count
}

/** The subscribers of a channel. */
export interface Subscribers {
  readonly id: ChannelId
  /** Active accounts, by ascending ID. */
  readonly userIds: readonly UserId[]
}

const USERS: RowSource<User> = {
  name: 'users',
  all: (read, pauses) => read.users.all(pauses),
  byIds: (read, ids, pauses) => read.users.byIds(ids as UserId[], pauses),
  types: ['realm_user', 'realm_bot', 'api_key', 'custom_profile_fields'],
  touched(event) {
    if (event.type === 'api_key') return [event.userId]
    // A user whose role changed sees other users and addresses, but the rows stay.
    if (event.type === 'realm_user') return 'person' in event ? [event.person.user_id] : []
    if (event.type === 'custom_profile_fields') return 'areValuesGone' in event ? 'all' : []
    return event.type === 'realm_bot' ? [event.bot.user_id] : []
  },
  bytes: ({ profileJson }) => 5400 + 8 * (profileJson?.length ?? 0),
}

export const CHANNELS: RowSource<Channel> = {
  name: 'channels',
  all: (read, pauses) => read.channels.all(pauses),
  byIds: (read, ids, pauses) => read.channels.byIds(ids as ChannelId[], pauses),
  types: ['stream', 'subscription', 'realm_user'],
  touched(event) {
    if (event.type !== 'stream') return touchedSubscribers(event)
    if (event.op === 'update') return [event.stream_id]
    return event.op === 'create' ? event.streams.map((channel) => channel.stream_id) : event.stream_ids
  },
  bytes: ({ description, renderedDescription, groupSettings }) =>
    2100 + 8 * (description.length + renderedDescription.length) + LISTED_BYTES * listedIn(groupSettings),
}

const SUBSCRIBERS: RowSource<Subscribers> = {
  name: 'subscribers',
  async all(read, pauses) {
    const ids = (await read.channels.all(pauses)).map(({ id }) => id)
    return this.byIds(read, ids, pauses)
  },
  async byIds(read, ids, pauses) {
    const lists = await read.subscriptions.subscribers(ids as ChannelId[], pauses)
    return [...lists].map(([id, userIds]) => ({ id, userIds }))
  },
  types: ['subscription', 'realm_user'],
  touched: touchedSubscribers,
  bytes: ({ userIds }) => 200 + 16 * userIds.length,
}

export const USER_GROUPS: RowSource<UserGroupDetails> = {
  name: 'groups',
  all: (read, pauses) => read.userGroups.all(pauses),
  byIds: (read, ids, pauses) => read.userGroups.wholeByIds(ids, pauses),
  types: ['user_group'],
  touched: touchedGroups,
  bytes: ({ description, memberIds, subgroupIds, groupSettings }) =>
    4000 + 8 * description.length + LISTED_BYTES * (memberIds.length + subgroupIds.length + listedIn(groupSettings)),
}

/** Members of system groups follow from the roles, and are not in the rows. */
function touchedGroups(event: LogEvent): readonly number[] {
  if (event.type !== 'user_group') return []
  const id = event.op === 'add' ? event.group.id : event.group_id
  return isSystemGroupId(id) ? [] : [id]
}

/**
 * Only active accounts count. An event that changes whether an account is active does not list the account's channels.
 */
function touchedSubscribers(event: LogEvent): readonly number[] | 'all' {
  if (event.type === 'realm_user') return event.op === 'update' && 'is_active' in event.person ? 'all' : []
  if (event.type !== 'subscription') return []
  return event.op === 'peer_add' || event.op === 'peer_remove' ? event.stream_ids : []
}

/** Rows in memory that most answers need. They follow the log, and are read again after an event has touched them. */
export class SharedRows {
  readonly users = new KeptRows(USERS)
  readonly channels = new KeptRows(CHANNELS)
  readonly subscribers = new KeptRows(SUBSCRIBERS)
  readonly userGroups = new KeptRows(USER_GROUPS)
  readonly messagePlaces = new MessagePlaces()
  readonly isChecked: boolean
  readonly #all = [this.users, this.channels, this.subscribers, this.userGroups, this.messagePlaces]

  /** @param isChecked whether everything is compared with the tables when it is used, as in tests */
  constructor(isChecked: boolean) {
    this.isChecked = isChecked
  }

  start(position: number): void {
    for (const rows of this.#all) rows.start(position)
  }

  follow(events: readonly LoggedEvent[]): void {
    for (const rows of this.#all) rows.follow(events)
  }

  forget(): void {
    for (const rows of this.#all) rows.forget()
  }
}

/** Everything that can be read outside of transactions. */
export interface CommittedReaders extends Readers {
  /** Cached rows that most answers need, from the same moment as the other rows. */
  readonly shared: SharedReader
}

/**
 * @param present returns what permissions depend on
 * @param head of the log, while the session sees one moment
 */
export function bindCommittedReaders(
  session: Session,
  present: () => OrganizationState,
  shared: SharedRows,
  head: () => number | undefined = () => undefined,
): CommittedReaders {
  const readers = bindReaders(session, present)
  return Object.assign(readers, { shared: new SharedReader(shared, readers, head) })
}

/**
 * Cached rows as of the moment that a session sees. A list, and each row in it, is the same object until it changes.
 */
export class SharedReader {
  readonly #shared: SharedRows
  readonly #read: Readers
  readonly #head: () => number | undefined

  /** @param head of the log, while the session sees one moment */
  constructor(shared: SharedRows, read: Readers, head: () => number | undefined) {
    this.#shared = shared
    this.#read = read
    this.#head = head
  }

  /** Returns all accounts, including deactivated ones, by ascending ID. */
  users(pauses = new Pauses()): Promise<readonly User[]> {
    return this.#at(this.#shared.users, pauses)
  }

  /** Returns all channels by ascending ID. permissions/access-channel.ts decides who may see which. */
  channels(pauses = new Pauses()): Promise<readonly Channel[]> {
    return this.#at(this.#shared.channels, pauses)
  }

  /** Returns the subscribers of all channels that have any, by ascending channel ID. */
  subscribers(pauses: Pauses): Promise<readonly Subscribers[]> {
    return this.#at(this.#shared.subscribers, pauses)
  }

  /** Returns all groups by ascending ID. */
  userGroups(pauses = new Pauses()): Promise<readonly UserGroupDetails[]> {
    return this.#at(this.#shared.userGroups, pauses)
  }

  /** @throws Error if a place in memory differs from the table, in tests */
  readonly messagePlaces: PlacesOf = async (ids, pauses) => {
    const { session, events } = this.#read
    const places = await this.#shared.messagePlaces.at(session, events, await this.#headNow(), ids, pauses)
    if (this.#shared.isChecked && this.#head() !== undefined) {
      const stored = await placesInTable(session)(ids, pauses)
      if (!isDeepStrictEqual(places, stored)) throw new Error(`places in memory: ${places}, stored: ${stored}`)
    }
    return places
  }

  async #headNow(): Promise<number> {
    return this.#head() ?? (await this.#read.events.head()).eventId
  }

  async #at<Row extends { readonly id: number }>(rows: KeptRows<Row>, pauses: Pauses): Promise<readonly Row[]> {
    const head = await this.#headNow()
    if (this.#shared.isChecked) await rows.check(this.#read, head, pauses)
    return rows.at(this.#read, head, pauses)
  }
}
