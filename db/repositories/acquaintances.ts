import type { ChannelId, UserId } from '../../domain/ids.ts'
import { ROLE } from '../../domain/users/roles.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { rowsFor, rowsInPages } from '../pieces.ts'
import { Repository } from '../repository.ts'

/**
 * Returns the condition that `viewer` and `other`, names of columns or parameters, share a channel or a direct
 * conversation.
 */
const sharing = (viewer: string, other: string): string =>
  // Starts from the viewer's subscriptions, because the viewer is a guest, who has few.
  `(exists (select 1 from subscription s cross join subscription o on o.user_id = ${other} and o.channel_id = s.channel_id
        and o.is_active = 1 where s.user_id = ${viewer} and s.is_active = 1)
    or exists (select 1 from direct_group_member s cross join direct_group_member o on o.user_id = ${other}
        and o.group_id = s.group_id where s.user_id = ${viewer}))`

/**
 * Finds users who share a channel or a direct conversation with each other. Deactivated accounts keep their
 * subscriptions, so they stay visible to those who shared one with them.
 */
export class AcquaintanceReader extends Repository {
  /**
   * Returns those of `ids` that are bots, share a conversation with `viewerId`, or are the viewer. One query for each
   * PAGE, with others served in between.
   */
  among(viewerId: UserId, ids: readonly UserId[]): Promise<Set<UserId>> {
    return this.#those(ids, `u.is_bot = 1 or u.id = ? or ${sharing('?', 'u.id')}`, [viewerId, viewerId, viewerId])
  }

  /** Returns those of `viewerIds` that share a conversation with `userId`. Queries as for `among`. */
  having(userId: UserId, viewerIds: readonly UserId[]): Promise<Set<UserId>> {
    return this.#those(viewerIds, sharing('u.id', '?'), [userId, userId])
  }

  async #those(ids: readonly UserId[], condition: string, params: readonly number[]): Promise<Set<UserId>> {
    const sql = (list: string) => `select u.id from user u where (${condition}) and u.id in ${list}`
    const rows = await rowsFor<{ id: UserId }>(this.session, ids, sql, { before: params })
    return new Set(rows.map(rowId))
  }

  /**
   * Returns all users who share a conversation with `viewerId`, including the viewer; bots only if they share one.
   * Others are served in between.
   */
  async of(viewerId: UserId, pauses: Pauses): Promise<Set<UserId>> {
    const found = new Set<UserId>([viewerId])
    const channels = await this.session.all<{ id: ChannelId }>(
      'select channel_id as id from subscription where user_id = ? and is_active = 1',
      [viewerId],
    )
    for (const { id } of channels) for (const one of await this.inChannel(id, pauses)) found.add(one)
    const sql = `select distinct o.user_id from direct_group_member s
      join direct_group_member o on o.group_id = s.group_id where s.user_id = ?`
    const rows = { sql, params: [viewerId], key: 'o.user_id' }
    for (const one of await rowsInPages(this.session, rows, userIdOf, pauses)) found.add(one)
    return found
  }

  /** Returns all subscribers of the channel, including deactivated accounts and bots, by ascending ID; in pages. */
  inChannel(channelId: ChannelId, pauses: Pauses): Promise<UserId[]> {
    const sql = 'select user_id from subscription where channel_id = ? and is_active = 1'
    return rowsInPages(this.session, { sql, params: [channelId], key: 'user_id' }, userIdOf, pauses)
  }

  /** Returns guests with an event queue, or those of them who are subscribed to a channel, by ascending ID. */
  async guestsWithQueues(channelId?: ChannelId): Promise<UserId[]> {
    const follows =
      'and exists (select 1 from subscription s where s.user_id = u.id and s.channel_id = ? and s.is_active = 1)'
    const rows = await this.session.all<{ id: UserId }>(
      `select distinct u.id from event_queue q join user u on u.id = q.user_id
        where u.role = ${ROLE.guest} ${channelId === undefined ? '' : follows} order by u.id`,
      channelId === undefined ? [] : [channelId],
    )
    return rows.map(rowId)
  }
}

function rowId({ id }: { readonly id: UserId }): UserId {
  return id
}

function userIdOf({ user_id: id }: { readonly user_id: UserId }): UserId {
  return id
}
