import { chunksOf } from '../../domain/chunks.ts'
import type { UserId } from '../../domain/ids.ts'
import { ROLE } from '../../domain/roles.ts'
import { isSystemGroupId, systemGroupContains } from '../../domain/system-groups.ts'
import type { UserGroup } from '../../domain/user-group.ts'
import { MAX_VARIABLES, placeholders } from '../dialect.ts'
import type { Session } from '../session.ts'

interface UserGroupRow {
  readonly id: number
  readonly name: string
  readonly is_system_group: number
  readonly group_settings: string | null
}

function fromRow(row: UserGroupRow): UserGroup {
  return {
    id: row.id,
    name: row.name,
    isSystemGroup: row.is_system_group === 1,
    groupSettings: JSON.parse(row.group_settings ?? '{}') as UserGroup['groupSettings'],
  }
}

/** Groups of users: those of the system, and those that people make. */
export class UserGroupReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }

  /** Those of `names` that groups in use have, compared exactly. One query, for very many one each MAX_VARIABLES. */
  async byNames(names: readonly string[]): Promise<UserGroup[]> {
    const rows: UserGroupRow[] = []
    for (const chunk of chunksOf(names, MAX_VARIABLES)) {
      rows.push(
        ...(await this.session.all<UserGroupRow>(
          `select id, name, is_system_group, group_settings from user_group
            where name in ${placeholders(chunk.length)} and is_deactivated = 0`,
          chunk,
        )),
      )
    }
    return rows.map(fromRow)
  }

  /**
   * Active members of any of `ids` or of the groups in them, by ascending id. Two queries.
   * @param newSince UNIX seconds; who joined after is in the waiting period of new members
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
}

export class UserGroupWriter extends UserGroupReader {}
