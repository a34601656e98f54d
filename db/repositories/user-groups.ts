import { chunksOf } from '../../domain/chunks.ts'
import { ascending, type UserId } from '../../domain/ids.ts'
import { type GroupContents, listedBy } from '../../domain/user-groups/group-graph.ts'
import { isSystemGroupId, systemGroupContains } from '../../domain/user-groups/system-groups.ts'
import type { UserGroup } from '../../domain/user-groups/user-group.ts'
import { type UserGroupDetails, userGroupSettings } from '../../domain/user-groups/wire-user-group.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { LISTED, listOf, placeholders } from '../dialect.ts'
import { PAGE, ROWS_A_PIECE, rowsFor, rowsInPages } from '../pieces.ts'
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

/** A group without its members and subgroups. */
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

type Link = { readonly table: 'user_group_member' | 'user_group_subgroup'; readonly column: 'user_id' | 'subgroup_id' }
const MEMBER: Link = { table: 'user_group_member', column: 'user_id' }
const SUBGROUP: Link = { table: 'user_group_subgroup', column: 'subgroup_id' }

/** User groups: system groups and custom groups. */
export class UserGroupReader extends Repository {
  /** Returns active groups with one of `names`, compared exactly. One query for each PAGE. */
  async byNames(names: readonly string[]): Promise<UserGroup[]> {
    return this.#inUse('name', names)
  }

  /** Returns active groups among `ids`. Queries as for byNames. */
  async byIds(ids: readonly number[]): Promise<UserGroup[]> {
    return this.#inUse('id', ids)
  }

  async #inUse(column: 'id' | 'name', values: readonly (number | string)[]): Promise<UserGroup[]> {
    const rows = await rowsFor<UserGroupRow>(
      this.session,
      values,
      (list) => `select id, name, is_system_group, group_settings from user_group
        where is_deactivated = 0 and ${column} in ${list}`,
    )
    return rows.map(fromRow)
  }

  /**
   * Returns active members of any of `ids` or of their subgroups, by ascending ID. Two queries.
   *
   * @param newSince UNIX seconds; users who joined later are in the waiting period of new members
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
      .where({ is_active: true, is_system_bot: false })
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

  /** Returns the group with this ID, active or not; undefined if it does not exist. One query. */
  async detailsOf(id: number): Promise<GroupDetails | undefined> {
    const row = await this.session.get<UserGroupDetailsRow>('select * from user_group where id = ?', [id])
    return row && detailsFromRow(row)
  }

  /**
   * Returns custom groups, active or not, whose settings may name this user or group: those that the user created, and
   * those whose stored settings contain the number. By ascending ID, in pages.
   */
  thatMayName(id: number): Promise<GroupDetails[]> {
    const sql = 'select * from user_group where is_system_group = 0 and (creator_id = ? or group_settings like ?)'
    return rowsInPages(this.session, { sql, params: [id, `%${id}%`] }, detailsFromRow, new Pauses())
  }

  /** Returns members and subgroups of custom groups, by ID. Queries as for all. */
  async contents(): Promise<Map<number, GroupContents>> {
    const groups = (await this.all()).filter((group) => !group.isSystemGroup)
    return new Map(
      groups.map((group) => {
        const { id, creatorId, memberIds, subgroupIds, isDeactivated } = group
        return [id, { creatorId, memberIds, subgroupIds, listed: listedBy(userGroupSettings(group)), isDeactivated }]
      }),
    )
  }

  /** Returns all groups with their direct members and subgroups, by ascending ID; in pages. */
  async all(pauses = new Pauses()): Promise<UserGroupDetails[]> {
    const sql = 'select * from user_group where true'
    return this.#withContents(await rowsInPages(this.session, { sql }, detailsFromRow, pauses), pauses)
  }

  /** Returns those of `ids` that exist, with their direct members and subgroups, by ascending ID; in pages. */
  async wholeByIds(ids: readonly number[], pauses = new Pauses()): Promise<UserGroupDetails[]> {
    const sql = (list: string) => `select * from user_group where id in ${list} order by id`
    const rows = await rowsFor<UserGroupDetailsRow>(this.session, ascending(ids), sql, { pauses })
    return this.#withContents(await pauses.map(rows, detailsFromRow), pauses)
  }

  async #withContents(groups: readonly GroupDetails[], pauses: Pauses): Promise<UserGroupDetails[]> {
    const ids = groups.map(({ id }) => id)
    const members = await this.#linked<UserId>(MEMBER, ids, pauses)
    const subgroups = await this.#linked<number>(SUBGROUP, ids, pauses)
    return pauses.map(groups, (group) => ({
      ...group,
      memberIds: members.get(group.id) ?? [],
      subgroupIds: subgroups.get(group.id) ?? [],
    }))
  }

  /**
   * Returns the content of each of these groups, by ascending ID; an empty group has no entry. No statement returns
   * many more rows than ROWS_A_PIECE, because a group has at most as many members as there are users.
   *
   * @param groupIds ascending
   */
  async #linked<Id extends number>(
    { table, column }: Link,
    groupIds: readonly number[],
    pauses: Pauses,
  ): Promise<Map<number, Id[]>> {
    const contents = new Map<number, Id[]>()
    for (const chunk of chunksOf(groupIds, PAGE)) {
      for (let left: readonly number[] = chunk; left.length > 0; ) {
        const list = listOf(this.session.dialect, left)
        const rows = await this.session.all<{ groupId: number; id: Id }>(
          `select group_id as groupId, ${column} as id from ${table}
            where group_id in ${list.sql} order by group_id, ${column} limit ?`,
          [...list.params, ROWS_A_PIECE],
        )
        for (const { groupId, id } of rows) {
          const known = contents.get(groupId)
          if (known) known.push(id)
          else contents.set(groupId, [id])
        }
        const last = rows.length < ROWS_A_PIECE ? undefined : rows.at(-1)?.groupId
        // The last group may have further members.
        if (last !== undefined) contents.set(last, await this.#linkedOf<Id>({ table, column }, last))
        left = last === undefined ? [] : left.filter((id) => id > last)
        await pauses.letOthers()
      }
    }
    return contents
  }

  async #linkedOf<Id extends number>({ table, column }: Link, groupId: number): Promise<Id[]> {
    const rows = await this.session.all<{ id: Id }>(
      `select ${column} as id from ${table} where group_id = ? order by ${column}`,
      [groupId],
    )
    return rows.map(({ id }) => id)
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

export class UserGroupWriter extends UserGroupReader {
  /** Creates an empty group. Returns undefined if the name is taken, even by a deactivated group. */
  async insert({ name, description, creatorId, createdAt, groupSettings }: NewUserGroup): Promise<number | undefined> {
    if (await this.#isTaken(name)) return undefined
    const { insertId } = await this.session.run(
      `insert into user_group (name, description, is_system_group, creator_id, created_at, group_settings)
        values (?, ?, 0, ?, ?, ?)`,
      [name, description, creatorId, createdAt, JSON.stringify(groupSettings)],
    )
    return insertId
  }

  /** Returns false if the name is taken, even by a deactivated group. */
  async rename(id: number, name: string): Promise<boolean> {
    if (await this.#isTaken(name)) return false
    await this.session.run('update user_group set name = ? where id = ?', [name, id])
    return true
  }

  async #isTaken(name: string): Promise<boolean> {
    const taken = await this.session.get<{ id: number }>('select id from user_group where name = ?', [name])
    return taken !== undefined
  }

  async describe(id: number, description: string): Promise<void> {
    await this.session.run('update user_group set description = ? where id = ?', [description, id])
  }

  async setDeactivated(id: number, isDeactivated: boolean): Promise<void> {
    await this.session.run('update user_group set is_deactivated = ? where id = ?', [isDeactivated ? 1 : 0, id])
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
    const list = LISTED[this.session.dialect]
    await this.#inChunks(
      `insert into ${table} (group_id, ${column}) select ?, value from ${list} as listed`,
      groupId,
      ids,
    )
  }

  async #unlink({ table, column }: Link, groupId: number, ids: readonly number[]): Promise<void> {
    const list = `(select value from ${LISTED[this.session.dialect]} as listed)`
    await this.#inChunks(`delete from ${table} where group_id = ? and ${column} in ${list}`, groupId, ids)
  }

  /** Others are served in between. */
  async #inChunks(sql: string, groupId: number, ids: readonly number[]): Promise<void> {
    const pauses = new Pauses()
    for (const chunk of chunksOf(ids, PAGE)) {
      await this.session.run(sql, [groupId, JSON.stringify(chunk)])
      await pauses.letOthers()
    }
  }

  /** Removes a user from all groups with this direct member. Returns the groups, by ascending ID. */
  async removeMember(userId: UserId): Promise<Pick<GroupDetails, 'id' | 'isDeactivated'>[]> {
    const rows = await this.session.all<{ id: number; isDeactivated: number }>(
      `select g.id, g.is_deactivated as isDeactivated from user_group_member m join user_group g on g.id = m.group_id
        where m.user_id = ? order by g.id`,
      [userId],
    )
    await this.session.run('delete from user_group_member where user_id = ?', [userId])
    return rows.map(({ id, isDeactivated }) => ({ id, isDeactivated: isDeactivated === 1 }))
  }
}
