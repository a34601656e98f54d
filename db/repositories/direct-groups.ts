import { createHash } from 'node:crypto'
import type { DirectGroupId, UserId } from '../../domain/ids.ts'
import type { Session } from '../session.ts'

/** Names a set of people however they are listed. */
function membersHash(members: readonly UserId[]): string {
  const sorted = [...new Set(members)].toSorted((a, b) => a - b)
  return createHash('sha256').update(sorted.join(',')).digest('hex')
}

export class DirectGroupReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }

  /** The conversation of exactly these people; undefined when they never had one. */
  async find(members: readonly UserId[]): Promise<DirectGroupId | undefined> {
    const row = await this.session.get<{ id: DirectGroupId }>('select id from direct_group where members_hash = ?', [
      membersHash(members),
    ])
    return row?.id
  }

  /** Members by ascending id, of each of `ids`. One query. */
  async members(ids: readonly DirectGroupId[]): Promise<Map<DirectGroupId, UserId[]>> {
    if (ids.length === 0) return new Map()
    const rows = await this.session
      .knex<{ group_id: DirectGroupId; user_id: UserId }>('direct_group_member')
      .whereIn('group_id', [...new Set(ids)])
      .orderBy(['group_id', 'user_id'])
      .select()
    const byGroup = Map.groupBy(rows, (row) => row.group_id as DirectGroupId)
    return new Map([...byGroup].map(([id, group]) => [id, group.map((row) => row.user_id as UserId)]))
  }
}

export class DirectGroupWriter extends DirectGroupReader {
  async findOrMake(members: readonly UserId[]): Promise<DirectGroupId> {
    const known = await this.find(members)
    if (known !== undefined) return known
    const { insertId } = await this.session.run('insert into direct_group (members_hash) values (?)', [
      membersHash(members),
    ])
    for (const userId of new Set(members)) {
      await this.session.run('insert into direct_group_member (user_id, group_id) values (?, ?)', [userId, insertId])
    }
    return insertId as DirectGroupId
  }
}
