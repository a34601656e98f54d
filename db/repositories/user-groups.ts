import { chunksOf } from '../../domain/chunks.ts'
import type { UserId } from '../../domain/ids.ts'
import type { GroupContents } from '../../domain/user-groups/group-graph.ts'
import { isSystemGroupId, systemGroupContains } from '../../domain/user-groups/system-groups.ts'
import type { UserGroup } from '../../domain/user-groups/user-group.ts'
import type { UserGroupDetails } from '../../domain/user-groups/wire-user-group.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { MAX_VARIABLES, placeholders } from '../dialect.ts'
import { Repository } from '../repository.ts'

interface UserGroupRow {
  readonly id: number
  readonly name: string
  readonly is_system_group: number
  readonly group_settings: string | null
}

interface UserGroupDetailsRow extends UserGroupRow {
  readonly description: string
  readonly is_deactivated: number
  readonly creator_id: number | null
  readonly created_at: number | null
}

function fromRow(row: UserGroupRow): UserGroup {
  return {
    id: row.id,
    name: row.name,
    isSystemGroup: row.is_system_group === 1,
    groupSettings: JSON.parse(row.group_settings ?? '{}') as UserGroup['groupSettings'],
  }
}

/** A group without what it contains. */
export type GroupDetails = Omit<UserGroupDetails, 'memberIds' | 'subgroupIds'>

function detailsFromRow(row: UserGroupDetailsRow): GroupDetails {
  return {
    ...fromRow(row),
    description: row.description,
    isDeactivated: row.is_deactivated === 1,
    creatorId: row.creator_id as UserId | null,
    createdAt: row.created_at,
  }
}

/** Rows that one statement writes. */
const LINKS_AT_ONCE = 500

/** Groups of users: those of the system, and those that people make. */
export class UserGroupReader extends Repository {
  /** Those of `names` that groups in use have, compared exactly. One query, for very many one each MAX_VARIABLES. */
  async byNames(names: readonly string[]): Promise<UserGroup[]> {
    return this.#inUse('name', names)
  }

  /** Those of `ids` that groups in use have. Queries as for byNames. */
  async byIds(ids: readonly number[]): Promise<UserGroup[]> {
    return this.#inUse('id', ids)
  }

  async #inUse(column: 'id' | 'name', values: readonly (number | string)[]): Promise<UserGroup[]> {
    const rows: UserGroupRow[] = []
    for (const chunk of chunksOf(values, MAX_VARIABLES)) {
      rows.push(
        ...(await this.session.all<UserGroupRow>(
          `select id, name, is_system_group, group_settings from user_group
            where ${column} in ${placeholders(chunk.length)} and is_deactivated = 0`,
          chunk,
        )),
      )
    }
    return rows.map(fromRow)
  }

  /**
   * Active members of any of `ids` or of the groups in them, by ascending id. Two queries.
   * @param newSince UNIX seconds; whoever joined after is in the waiting period of new members
   */
  async memberIds(ids: readonly number[], newSince: number): Promise<UserId[]> {
    if (ids.length === 0) return []
    const within = await this.session.all<{ id: number }>(
      `with recursive within (id) as (
        select id from user_group where id in ${placeholders(ids.length)}
        union select s.subgroup_id from user_group_subgroup s join within w on s.group_id = w.id
      ) select id from within`,
      ids,
    )
    const groupIds = within.map(({ id }) => id)
    const rolesWithin = (isNew: boolean) =>
      Object.values(ROLE).filter((role) =>
        groupIds.some((id) => isSystemGroupId(id) && systemGroupContains(id, role, { isNew })),
      )
    const rows: { id: UserId }[] = await this.session
      .knex('user')
      .where('is_active', true)
      .where((either) =>
        either
          .whereIn('role', rolesWithin(true))
          .orWhere((old) => old.whereIn('role', rolesWithin(false)).where('date_joined', '<=', newSince))
          .orWhereIn('id', this.session.knex('user_group_member').whereIn('group_id', groupIds).select('user_id')),
      )
      .orderBy('id')
      .select('id')
    return rows.map(({ id }) => id)
  }

  /** The group with this id, in use or not; undefined where there is none. One query. */
  async detailsOf(id: number): Promise<GroupDetails | undefined> {
    const row = await this.session.get<UserGroupDetailsRow>('select * from user_group where id = ?', [id])
    return row && detailsFromRow(row)
  }

  /** Every group that people made, in use or not, by ascending id. One query. */
  async madeByPeople(): Promise<GroupDetails[]> {
    const rows = await this.session.all<UserGroupDetailsRow>(
      'select * from user_group where is_system_group = 0 order by id',
    )
    return rows.map(detailsFromRow)
  }

  /** What the groups in use that people made contain, by their ids. Three queries. */
  async contents(): Promise<Map<number, GroupContents>> {
    const groups = (await this.all()).filter((group) => !group.isSystemGroup && !group.isDeactivated)
    return new Map(
      groups.map(({ id, creatorId, memberIds, subgroupIds }) => [id, { creatorId, memberIds, subgroupIds }]),
    )
  }

  /** All groups with their direct members and subgroups, by ascending id. Three queries. */
  async all(): Promise<UserGroupDetails[]> {
    const rows = await this.session.all<UserGroupDetailsRow>('select * from user_group order by id')
    const members = Map.groupBy(
      await this.session.all<{ groupId: number; userId: UserId }>(
        'select group_id as groupId, user_id as userId from user_group_member order by user_id',
      ),
      ({ groupId }) => groupId,
    )
    const subgroups = Map.groupBy(
      await this.session.all<{ groupId: number; subgroupId: number }>(
        'select group_id as groupId, subgroup_id as subgroupId from user_group_subgroup order by subgroup_id',
      ),
      ({ groupId }) => groupId,
    )
    return rows.map((row) => ({
      ...detailsFromRow(row),
      memberIds: (members.get(row.id) ?? []).map(({ userId }) => userId),
      subgroupIds: (subgroups.get(row.id) ?? []).map(({ subgroupId }) => subgroupId),
    }))
  }
}

export interface NewUserGroup {
  readonly name: string
  readonly description: string
  readonly creatorId: UserId
  /** UNIX seconds. */
  readonly createdAt: number
  readonly groupSettings: UserGroup['groupSettings']
}

type Link = { readonly table: 'user_group_member' | 'user_group_subgroup'; readonly column: 'user_id' | 'subgroup_id' }
const MEMBER: Link = { table: 'user_group_member', column: 'user_id' }
const SUBGROUP: Link = { table: 'user_group_subgroup', column: 'subgroup_id' }

export class UserGroupWriter extends UserGroupReader {
  /** A group with nobody in it. Undefined when the name is taken, even by a group that is no longer in use. */
  async insert({ name, description, creatorId, createdAt, groupSettings }: NewUserGroup): Promise<number | undefined> {
    const taken = await this.session.get<{ id: number }>('select id from user_group where name = ?', [name])
    if (taken) return undefined
    const { insertId } = await this.session.run(
      `insert into user_group (name, description, is_system_group, creator_id, created_at, group_settings)
        values (?, ?, 0, ?, ?, ?)`,
      [name, description, creatorId, createdAt, JSON.stringify(groupSettings)],
    )
    return insertId
  }

  async setGroupSettings(id: number, groupSettings: UserGroup['groupSettings']): Promise<void> {
    await this.session.run('update user_group set group_settings = ? where id = ?', [JSON.stringify(groupSettings), id])
  }

  async addMembers(groupId: number, userIds: readonly UserId[]): Promise<void> {
    await this.#link(MEMBER, groupId, userIds)
  }
  async removeMembers(groupId: number, userIds: readonly UserId[]): Promise<void> {
    await this.#unlink(MEMBER, groupId, userIds)
  }
  async addSubgroups(groupId: number, subgroupIds: readonly number[]): Promise<void> {
    await this.#link(SUBGROUP, groupId, subgroupIds)
  }
  async removeSubgroups(groupId: number, subgroupIds: readonly number[]): Promise<void> {
    await this.#unlink(SUBGROUP, groupId, subgroupIds)
  }

  async #link({ table, column }: Link, groupId: number, ids: readonly number[]): Promise<void> {
    for (const chunk of chunksOf(ids, LINKS_AT_ONCE)) {
      await this.session.knex(table).insert(chunk.map((id) => ({ group_id: groupId, [column]: id })))
    }
  }

  async #unlink({ table, column }: Link, groupId: number, ids: readonly number[]): Promise<void> {
    for (const chunk of chunksOf(ids, LINKS_AT_ONCE)) {
      await this.session.run(`delete from ${table} where group_id = ? and ${column} in ${placeholders(chunk.length)}`, [
        groupId,
        ...chunk,
      ])
    }
  }

  /** Takes somebody out of every group that they were added to. Returns the groups' ids, ascending. */
  async removeMember(userId: UserId): Promise<number[]> {
    const rows = await this.session.all<{ id: number }>(
      'select group_id as id from user_group_member where user_id = ? order by group_id',
      [userId],
    )
    await this.session.run('delete from user_group_member where user_id = ?', [userId])
    return rows.map(({ id }) => id)
  }
}
