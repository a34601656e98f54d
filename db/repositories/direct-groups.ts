import { createHash } from 'node:crypto'
import { ascending, type DirectGroupId, type MessageId, type UserId } from '../../domain/ids.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { insertMany } from '../insert-many.ts'
import { firstSentFrom } from '../narrow/first-sent.ts'
import { rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'

/** Returns a hash that identifies a set of users, in any order. */
export function membersHash(members: readonly UserId[]): string {
  const sorted = ascending(members)
  return createHash('sha256').update(sorted.join(',')).digest('hex')
}

export class DirectGroupReader extends Repository {
  /** Returns the conversation of exactly these users; undefined if they never had one. */
  async find(members: readonly UserId[]): Promise<DirectGroupId | undefined> {
    const row = await this.session.get<{ id: DirectGroupId }>('select id from direct_group where members_hash = ?', [
      membersHash(members),
    ])
    return row?.id
  }

  /** Returns the ID of the newest conversation; 0 without any. */
  async newest(): Promise<number> {
    const row = await this.session.get<{ id: number | null }>('select max(id) as id from direct_group')
    return row?.id ?? 0
  }

  /**
   * Returns conversations with IDs above `after` up to `to` that have a message sent before `before` (Unix seconds).
   */
  async withOlder(
    { after, to }: { readonly after: number; readonly to: number },
    before: number,
  ): Promise<DirectGroupId[]> {
    const rows = await this.session.all<{ id: DirectGroupId }>(
      `select g.id from direct_group g where g.id > ? and g.id <= ?
         and (select m.id from message m where m.direct_group_id = g.id and m.id < ? and m.sent_at < ?
           order by m.id limit 1) is not null order by g.id`,
      [after, to, await firstSentFrom(this.session, before), before],
    )
    return rows.map((row) => row.id)
  }

  /** Returns the user's conversations that have messages, the latest message first; one index look-up for each. */
  async recentOf(
    userId: UserId,
    limit: number,
  ): Promise<{ readonly id: DirectGroupId; readonly maxMessageId: MessageId }[]> {
    return this.session.all(
      `select id, maxMessageId from (
         select group_id as id, (select max(id) from message where direct_group_id = group_id) as maxMessageId
           from direct_group_member where user_id = ?
       ) as conversation where maxMessageId is not null order by maxMessageId desc limit ?`,
      [userId, limit],
    )
  }

  /** Returns the members of each of `ids` by ascending ID. One query for each PAGE, with others served in between. */
  async members(ids: readonly DirectGroupId[], pauses = new Pauses()): Promise<Map<DirectGroupId, UserId[]>> {
    const rows = await rowsFor<{ group_id: DirectGroupId; user_id: UserId }>(
      this.session,
      ids,
      (list) =>
        `select group_id, user_id from direct_group_member where group_id in ${list} order by group_id, user_id`,
      { pauses },
    )
    const members = new Map<DirectGroupId, UserId[]>()
    for (const { group_id: id, user_id: userId } of rows) {
      const group = members.get(id)
      if (group) group.push(userId)
      else members.set(id, [userId])
    }
    return members
  }
}

export class DirectGroupWriter extends DirectGroupReader {
  /** Creates the conversation of exactly these users, who must not have one. */
  async make(members: readonly UserId[]): Promise<DirectGroupId> {
    const { insertId } = await this.session.run('insert into direct_group (members_hash) values (?)', [
      membersHash(members),
    ])
    const rows = [...new Set(members)].map((userId) => [userId, insertId])
    await insertMany(this.session, 'direct_group_member (user_id, group_id)', rows, new Pauses())
    return insertId as DirectGroupId
  }
}
