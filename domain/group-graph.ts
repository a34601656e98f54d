import type { UserId } from './ids.ts'
import type { LogEvent } from './log-event.ts'
import type { Role } from './roles.ts'
import { isSystemGroupId, SYSTEM_GROUPS, type SystemGroupId, systemGroupContains } from './system-groups.ts'

/** What a group that people made contains; those of the system follow from the roles. Ids ascending, each once. */
export interface GroupContents {
  readonly memberIds: readonly UserId[]
  readonly subgroupIds: readonly number[]
}

/** What of an account decides in which groups it is. */
export interface GroupPerson {
  readonly id: UserId
  readonly role: Role
  /** Still in its waiting period. */
  readonly isNew: boolean
}

/** Groups in use of one person, with what they were found for. */
interface Reached extends Omit<GroupPerson, 'id'> {
  readonly groupIds: ReadonlySet<number>
}

/** Of all people together whose groups are remembered: some 10 MB at most. */
const MAX_REMEMBERED = 200_000

type GroupEvent = Extract<LogEvent, { type: 'user_group' }>

/** Whether the event changes what a group that people made contains. */
export function changesGroups(event: LogEvent): event is GroupEvent {
  return event.type === 'user_group' && !isSystemGroupId(event.group_id)
}

/**
 * Who is in which group, through groups within groups, at one position of the event log: a value that does not change.
 * A question costs one look-up. A person's groups are found at the first question about them, upwards from those they
 * were added to; that costs as much as there are subgroups at most, and is never deeper than a list is long.
 */
export class GroupGraph {
  readonly #index: Index
  readonly #reached = new Map<UserId, Reached>()
  #remembered = 0

  private constructor(index: Index) {
    this.#index = index
  }

  /** @param contents of every group in use that people made */
  static of(contents: ReadonlyMap<number, GroupContents>): GroupGraph {
    const index: Index = { contents: new Map(), directGroupsOf: new Map(), supergroupsOf: new Map() }
    for (const [groupId, group] of contents) replace(index, groupId, group)
    return new GroupGraph(index)
  }

  /** Whether people have made the group, and it is in use. */
  has(groupId: number): boolean {
    return this.#index.contents.has(groupId)
  }

  /** Whether the person is in the group, directly or through others. A group that is not in use has nobody. */
  contains(groupId: number, person: GroupPerson): boolean {
    if (isSystemGroupId(groupId)) return systemGroupContains(groupId, person.role, person)
    return this.#groupsOf(person).has(groupId)
  }

  /** The groups and all groups in them, each once. */
  within(groupIds: readonly number[]): ReadonlySet<number> {
    const found = new Set<number>()
    const next = [...groupIds]
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      if (found.has(id)) continue
      found.add(id)
      next.push(...this.#subgroupsOf(id))
    }
    return found
  }

  /** As it is after these events; itself where they change no group. Costs a copy of two lists, and what changed. */
  after(events: readonly LogEvent[]): GroupGraph {
    const changes = events.filter(changesGroups)
    if (changes.length === 0) return this
    const { contents, directGroupsOf, supergroupsOf } = this.#index
    const index: Index = {
      contents: new Map(contents),
      directGroupsOf: new Map(directGroupsOf),
      supergroupsOf: new Map(supergroupsOf),
    }
    for (const event of changes) apply(index, event)
    return new GroupGraph(index)
  }

  #subgroupsOf(groupId: number): readonly number[] {
    const system = SYSTEM_GROUPS.find(({ id }) => id === groupId)
    return system?.directSubgroupIds ?? this.#index.contents.get(groupId)?.subgroupIds ?? []
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
    const found = new Set<number>()
    const isInSystem = (id: number): boolean => systemGroupContains(id as SystemGroupId, person.role, person)
    const { directGroupsOf, supergroupsOf } = this.#index
    const next = SYSTEM_GROUPS.flatMap(({ id }) => (isInSystem(id) ? (supergroupsOf.get(id) ?? []) : []))
    next.push(...(directGroupsOf.get(person.id) ?? []))
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      if (found.has(id)) continue
      found.add(id)
      next.push(...(supergroupsOf.get(id) ?? []))
    }
    return found
  }
}

/** Which group contains what, and both ways back. The lists in it never change, so copies share them. */
interface Index {
  readonly contents: Map<number, GroupContents>
  readonly directGroupsOf: Map<UserId, readonly number[]>
  readonly supergroupsOf: Map<number, readonly number[]>
}

function apply(index: Index, event: GroupEvent): void {
  const group = index.contents.get(event.group_id)
  if (!group) return
  const userIds = event.user_ids as readonly UserId[]
  const memberIds = event.op === 'add_members' ? united(group.memberIds, userIds) : without(group.memberIds, userIds)
  replace(index, event.group_id, { ...group, memberIds })
}

/** @param after undefined for a group that is in use no more */
function replace(index: Index, groupId: number, after: GroupContents | undefined): void {
  const before = index.contents.get(groupId)
  relink(index.directGroupsOf, groupId, before?.memberIds ?? [], after?.memberIds ?? [])
  relink(index.supergroupsOf, groupId, before?.subgroupIds ?? [], after?.subgroupIds ?? [])
  if (after) index.contents.set(groupId, after)
  else index.contents.delete(groupId)
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
  return [...new Set([...before, ...added])].sort((a, b) => a - b)
}

function without<Id extends number>(before: readonly Id[], removed: readonly Id[]): Id[] {
  const gone = new Set(removed)
  return before.filter((id) => !gone.has(id))
}
