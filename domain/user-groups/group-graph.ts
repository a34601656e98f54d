import type { LogEvent } from '../events/log-event.ts'
import { ascending, type UserId } from '../ids.ts'
import { hasRoom } from '../share.ts'
import type { Role } from '../users/roles.ts'
import { listedIn } from './group-setting-values.ts'
import type { GroupSettingValue } from './group-settings.ts'
import { isSystemGroupId, SYSTEM_GROUPS, type SystemGroupId, systemGroupContains } from './system-groups.ts'
import { USER_GROUP_SETTING_NAMES, type UserGroupSettingName } from './wire-user-group.ts'

/** Content of a custom group; members of system groups follow from the roles. IDs ascending, each once. */
export interface GroupContents {
  /** Its creator, whose share its size counts against. */
  readonly creatorId: UserId | null
  readonly memberIds: readonly UserId[]
  readonly subgroupIds: readonly number[]
  /** Number of users and groups in each setting: everybody gets these lists with the group. */
  readonly listed: Listed
  /** Whether it is deactivated: then it keeps its members, but gives nobody any permission. */
  readonly isDeactivated: boolean
}

export type Listed = Readonly<Partial<Record<UserGroupSettingName, number>>>

/**
 * Maximum total size of all groups, counted in members. A user or group listed by a setting counts as one, each group
 * and each subgroup as a hundred. The total is some 30 MB of memory. A question about a user reads at most a hundredth
 * of that.
 */
const MAX_HELD = 1_000_000
const HELD_BY_GROUP = 100

/** Returns the size of a group. @param listed by settings of groups */
export function roomOf({ members = 0, subgroups = 0, groups = 0, listed = 0 }): number {
  return members + listed + HELD_BY_GROUP * (subgroups + groups)
}

/** Counts the users and groups listed in a group's settings, or in the given settings. */
export function listedBy(settings: { readonly [Name in UserGroupSettingName]?: GroupSettingValue }): Listed {
  return Object.fromEntries(
    USER_GROUP_SETTING_NAMES.flatMap((name) => {
      const value = settings[name]
      return value === undefined ? [] : [[name, listedIn(value)]]
    }),
  )
}

/** The parts of an account that decide about its groups. */
export interface GroupPerson {
  readonly id: UserId
  readonly role: Role
  /** Still in the waiting period. */
  readonly isNew: boolean
}

/** Active groups of one person, with the properties they were found for. */
interface Reached extends Omit<GroupPerson, 'id'> {
  readonly groupIds: ReadonlySet<number>
}

/** Limit for the cached groups of all people together: some 10 MB. */
const MAX_REMEMBERED = 200_000

type GroupEvent = Extract<LogEvent, { type: 'user_group' }>

/** Whether the event changes the content or the size of a custom group. */
function changesGroups(event: LogEvent): event is GroupEvent {
  if (event.type !== 'user_group') return false
  if (event.op === 'update') {
    const { data } = event
    return data.deactivated !== undefined || USER_GROUP_SETTING_NAMES.some((name) => data[name] !== undefined)
  }
  return event.op === 'add' || !isSystemGroupId(event.group_id)
}

/**
 * Membership in groups, through subgroups, at one position of the event log; immutable. A question costs one look-up. A
 * person's groups are found at the first question about them, upwards from the groups with this direct member, which
 * costs at most the number of subgroups and is not recursive.
 */
export class GroupGraph {
  readonly #index: Index
  readonly #reached = new Map<UserId, Reached>()
  #remembered = 0

  private constructor(index: Index) {
    this.#index = index
  }

  /** @param contents of every custom group */
  static of(contents: ReadonlyMap<number, GroupContents>): GroupGraph {
    const index: Index = { contents: new Map(), directGroupsOf: new Map(), supergroupsOf: new Map(), heldBy: new Map() }
    for (const [groupId, group] of contents) replace(index, groupId, group)
    return new GroupGraph(index)
  }

  /** Whether a custom group exists and is active. */
  has(groupId: number): boolean {
    return this.#index.contents.get(groupId)?.isDeactivated === false
  }

  /** Whether the person is in the group, directly or through subgroups. A deactivated group has nobody. */
  contains(groupId: number, person: GroupPerson): boolean {
    if (isSystemGroupId(groupId)) return systemGroupContains(groupId, person.role, person)
    return this.#groupsOf(person).has(groupId)
  }

  /** Returns the content of a custom group, active or not; undefined if it does not exist. */
  contentsOf(groupId: number): GroupContents | undefined {
    return this.#index.contents.get(groupId)
  }

  /** Whether the groups of `creatorIds`, who are one person and their bots, or null, may grow by this much. */
  hasRoom(creatorIds: readonly (UserId | null)[], more: number, mayHaveAll: boolean): boolean {
    return hasRoom({ most: MAX_HELD, heldBy: this.#index.heldBy }, creatorIds, more, mayHaveAll)
  }

  /** Returns the active groups that have this one as a subgroup, by ascending ID. */
  supergroupsOf(groupId: number): number[] {
    return ascending(this.#index.supergroupsOf.get(groupId) ?? [])
  }

  /** Returns the subgroups of a group, by ascending ID; none if the group does not exist. */
  subgroupsOf(groupId: number): readonly number[] {
    const system = SYSTEM_GROUPS.find(({ id }) => id === groupId)
    return system?.directSubgroupIds ?? this.#index.contents.get(groupId)?.subgroupIds ?? []
  }

  /** Returns the groups and all groups in them, each once. */
  within(groupIds: readonly number[]): ReadonlySet<number> {
    return closureOf(groupIds, (id) => this.subgroupsOf(id))
  }

  /** Returns the group and all active groups that contain it, each once. */
  above(groupId: number): ReadonlySet<number> {
    return closureOf([groupId], (id) => this.#index.supergroupsOf.get(id) ?? [])
  }

  /**
   * Returns the graph after these events; the same object if they change no group. Copies two lists and the changed
   * parts.
   */
  after(events: readonly LogEvent[]): GroupGraph {
    const changes = events.filter(changesGroups)
    if (changes.length === 0) return this
    const { contents, directGroupsOf, supergroupsOf, heldBy } = this.#index
    const index: Index = {
      contents: new Map(contents),
      directGroupsOf: new Map(directGroupsOf),
      supergroupsOf: new Map(supergroupsOf),
      heldBy: new Map(heldBy),
    }
    for (const event of changes) apply(index, event)
    return new GroupGraph(index)
  }

  #groupsOf(person: GroupPerson): ReadonlySet<number> {
    const known = this.#reached.get(person.id)
    if (known?.role === person.role && known.isNew === person.isNew) return known.groupIds
    const groupIds = this.#reach(person)
    if (this.#remembered > MAX_REMEMBERED) {
      this.#reached.clear()
      this.#remembered = 0
    }
    this.#remembered += 1 + groupIds.size
    this.#reached.set(person.id, { role: person.role, isNew: person.isNew, groupIds })
    return groupIds
  }

  #reach(person: GroupPerson): ReadonlySet<number> {
    const isInSystem = (id: number): boolean => systemGroupContains(id as SystemGroupId, person.role, person)
    const { directGroupsOf, supergroupsOf } = this.#index
    const above = (id: number): readonly number[] => supergroupsOf.get(id) ?? []
    const aboveSystem = SYSTEM_GROUPS.flatMap(({ id }) => (isInSystem(id) ? above(id) : []))
    return closureOf([...aboveSystem, ...(directGroupsOf.get(person.id) ?? [])], above)
  }
}

function closureOf(groupIds: readonly number[], nextOf: (id: number) => readonly number[]): ReadonlySet<number> {
  const found = new Set<number>()
  const next = [...groupIds]
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (found.has(id)) continue
    found.add(id)
    next.push(...nextOf(id))
  }
  return found
}

/** Indexes of the content of groups, in both directions. Lists in it never change, so copies share them. */
interface Index {
  readonly contents: Map<number, GroupContents>
  /** Active groups only; so does supergroupsOf. */
  readonly directGroupsOf: Map<UserId, readonly number[]>
  readonly supergroupsOf: Map<number, readonly number[]>
  /** Total size by creator; null for groups without one. */
  readonly heldBy: Map<UserId | null, number>
}

function apply(index: Index, event: GroupEvent): void {
  if (event.op === 'add') {
    const { id, creator_id: creatorId, members, direct_subgroup_ids: subgroupIds } = event.group
    const memberIds = members as UserId[]
    const listed = listedBy(event.group)
    replace(index, id, { creatorId: creatorId as UserId | null, memberIds, subgroupIds, listed, isDeactivated: false })
    return
  }
  const group = index.contents.get(event.group_id)
  if (group) replace(index, event.group_id, changed(group, event))
}

function changed(group: GroupContents, event: Exclude<GroupEvent, { op: 'add' }>): GroupContents {
  const { memberIds, subgroupIds } = group
  switch (event.op) {
    case 'add_members':
      return { ...group, memberIds: united(memberIds, event.user_ids as UserId[]) }
    case 'remove_members':
      return { ...group, memberIds: without(memberIds, event.user_ids as UserId[]) }
    case 'add_subgroups':
      return { ...group, subgroupIds: united(subgroupIds, event.direct_subgroup_ids) }
    case 'remove_subgroups':
      return { ...group, subgroupIds: without(subgroupIds, event.direct_subgroup_ids) }
    case 'update':
      return {
        ...group,
        listed: { ...group.listed, ...listedBy(event.data) },
        isDeactivated: event.data.deactivated ?? group.isDeactivated,
      }
    default:
      return event satisfies never
  }
}

function replace(index: Index, groupId: number, after: GroupContents): void {
  const before = index.contents.get(groupId)
  const [left, reached] = [before, after].map((group) => (group?.isDeactivated === false ? group : undefined))
  relink(index.directGroupsOf, groupId, left?.memberIds ?? [], reached?.memberIds ?? [])
  relink(index.supergroupsOf, groupId, left?.subgroupIds ?? [], reached?.subgroupIds ?? [])
  for (const [group, sign] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (!group) continue
    const room = roomOf({
      groups: 1,
      members: group.memberIds.length,
      subgroups: group.subgroupIds.length,
      listed: countOf(group.listed),
    })
    index.heldBy.set(group.creatorId, (index.heldBy.get(group.creatorId) ?? 0) + sign * room)
  }
  index.contents.set(groupId, after)
}

/** Returns the total of all settings. */
export function countOf(listed: Listed): number {
  return Object.values(listed).reduce((sum, one) => sum + one, 0)
}

function relink<Id extends number>(
  groupsOf: Map<Id, readonly number[]>,
  groupId: number,
  before: readonly Id[],
  after: readonly Id[],
): void {
  for (const id of without(before, after)) {
    const left = (groupsOf.get(id) ?? []).filter((one) => one !== groupId)
    if (left.length > 0) groupsOf.set(id, left)
    else groupsOf.delete(id)
  }
  for (const id of without(after, before)) groupsOf.set(id, [...(groupsOf.get(id) ?? []), groupId])
}

function united<Id extends number>(before: readonly Id[], added: readonly Id[]): Id[] {
  return ascending([...before, ...added])
}

function without<Id extends number>(before: readonly Id[], removed: readonly Id[]): Id[] {
  const gone = new Set(removed)
  return before.filter((id) => !gone.has(id))
}
