import { chunksOf } from '../../domain/chunks.ts'
import { ascending, type ChannelId, type MessageId, type UserId } from '../../domain/ids.ts'
import { FLAG, type StoredFlag } from '../../domain/messages/flags.ts'
import {
  type BlockForm,
  blockOf,
  isRead,
  type ReadBlock,
  withRead,
  withUnread,
} from '../../domain/messages/read-state.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { LISTED, listOf, placeholders, ROWS_A_STATEMENT } from '../dialect.ts'
import { insertMany } from '../insert-many.ts'
import { PAGE, rowsFor, rowsInPages } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface BlockRow {
  readonly block: number
  readonly form: number
  readonly bits: Uint8Array
}

/** The read state of users, and their flags. Both are sparse: a message never has a row for each recipient. */
export class ReadStateReader extends Repository {
  /** Returns the message up to which everything is read, except where a block says otherwise. */
  async readThrough(userId: UserId): Promise<number> {
    const row = await this.session.get<{ read_through: number }>('select read_through from user where id = ?', [userId])
    return row?.read_through ?? 0
  }

  /** Returns the stored blocks of a user by block number: all, or those of `numbers`. */
  async blocks(userId: UserId, numbers?: readonly number[]): Promise<Map<number, ReadBlock>> {
    const among = numbers ? ` and block in (select value from ${LISTED[this.session.dialect]} as wanted)` : ''
    const rows = await this.session.all<BlockRow>(
      `select block, form, bits from read_block where user_id = ?${among}`,
      numbers ? [userId, JSON.stringify(numbers)] : [userId],
    )
    return new Map(rows.map((row) => [row.block, { form: row.form as BlockForm, bits: row.bits }]))
  }

  /**
   * Returns messages on which `userId` has one of the stored flags `flags`, with their bits; by ascending ID, in pages.
   */
  async flagged(userId: UserId, flags: readonly StoredFlag[], pauses: Pauses): Promise<Map<MessageId, number>> {
    const mask = flags.reduce((bits, flag) => bits | FLAG[flag], 0)
    const sql = 'select message_id, flags from message_flag where user_id = ? and flags & ? <> 0'
    const rows = { sql, params: [userId, mask], key: 'message_id' }
    const pairOf = (row: { message_id: MessageId; flags: number }) => [row.message_id, row.flags] as const
    return new Map(await rowsInPages(this.session, rows, pairOf, pauses))
  }

  /**
   * Returns active accounts except guests that have a flag on one of the messages or reacted to it, whether they
   * received it or not; by ascending ID, in pieces.
   */
  async membersWithMarks(messageIds: readonly MessageId[], pauses: Pauses): Promise<UserId[]> {
    const found = new Set<UserId>()
    for (const chunk of chunksOf(messageIds, PAGE)) {
      const list = listOf(this.session.dialect, chunk)
      const rows = await this.session.all<{ id: UserId }>(
        `select u.id from (select user_id from message_flag where message_id in ${list.sql} and flags <> 0
           union select user_id from reaction where message_id in ${list.sql}) marks join user u on u.id = marks.user_id
         where u.is_active = 1 and u.role <> ?`,
        [...list.params, ...list.params, ROLE.guest],
      )
      for (const { id } of rows) found.add(id)
      await pauses.letOthers()
    }
    return ascending(found)
  }

  /** Returns accounts that have a flag on one of the messages, ascending; in pieces. */
  async flaggedBy(messageIds: readonly MessageId[], pauses: Pauses): Promise<UserId[]> {
    const sql = (list: string) => `select distinct user_id from message_flag where message_id in ${list}`
    const rows = await rowsFor<{ user_id: UserId }>(this.session, messageIds, sql, { pauses })
    return ascending(rows.map((row) => row.user_id))
  }

  /** Returns the messages that each of `userIds` has starred; users without any have no entry. In pieces. */
  async starredAmong(
    messageIds: readonly MessageId[],
    userIds: ReadonlySet<UserId>,
    pauses: Pauses,
  ): Promise<Map<UserId, MessageId[]>> {
    const sql = (list: string) => `select message_id, user_id from message_flag where message_id in ${list}
      and (flags & ${FLAG.starred}) <> 0 order by message_id`
    const rows = await rowsFor<{ message_id: MessageId; user_id: UserId }>(this.session, messageIds, sql, { pauses })
    const starred = new Map<UserId, MessageId[]>()
    for (const { message_id: id, user_id: userId } of rows) {
      if (!userIds.has(userId)) continue
      const own = starred.get(userId)
      if (own) own.push(id)
      else starred.set(userId, [id])
    }
    return starred
  }

  /**
   * Yields rows of users who flagged messages of the channel without having received them, a thousand messages at a
   * time.
   */
  async *historicalIn(
    channelId: ChannelId,
    pauses: Pauses,
  ): AsyncIterable<{ readonly userId: UserId; readonly messageId: MessageId; readonly isStarred: boolean }[]> {
    for (let after = 0; ; ) {
      const rows = await this.session.all<{ id: MessageId; user_id: UserId | null; flags: number }>(
        `select p.id, f.user_id, f.flags
           from (select id from message where channel_id = ? and id > ? order by id limit ${PAGE}) p
           left join message_flag f on f.message_id = p.id and (f.flags & ${FLAG.historical}) <> 0 order by p.id`,
        [channelId, after],
      )
      const last = rows.at(-1)
      if (!last) return
      yield rows.flatMap(({ id: messageId, user_id: userId, flags }) =>
        userId === null ? [] : [{ userId, messageId, isStarred: (flags & FLAG.starred) !== 0 }],
      )
      after = last.id
      await pauses.letOthers()
    }
  }

  /** Returns the messages that each active account has starred. */
  async starredBy(messageIds: readonly MessageId[]): Promise<Map<UserId, MessageId[]>> {
    const list = listOf(this.session.dialect, messageIds)
    const rows = await this.session.all<{ id: UserId; message_id: MessageId }>(
      `select u.id, f.message_id from message_flag f join user u on u.id = f.user_id
       where f.message_id in ${list.sql} and (f.flags & ${FLAG.starred}) <> 0 and u.is_active = 1
       order by f.message_id, u.id`,
      list.params,
    )
    const starred = Map.groupBy(rows, (row) => row.id)
    return new Map([...starred].map(([userId, own]) => [userId, own.map((row) => row.message_id)]))
  }
}

/** Number of users whose rows of one block are written together. Each row has half a kilobyte. */
const READERS_A_STATEMENT = 200

export class ReadStateWriter extends ReadStateReader {
  /** Stores flags of a new message for each of `userIds`. */
  async insertFlags(messageId: MessageId, flagsOf: ReadonlyMap<UserId, number>): Promise<void> {
    const rows = [...flagsOf].map(([userId, flags]) => [userId, messageId, flags])
    await insertMany(this.session, 'message_flag (user_id, message_id, flags)', rows, new Pauses())
  }

  /** Replaces the flags that `userId` has on several messages; others are served in between (SEC-LOOP-1). */
  async setFlags(userId: UserId, flagsOf: ReadonlyMap<MessageId, number>): Promise<void> {
    const pauses = new Pauses()
    for (const chunk of chunksOf([...flagsOf], ROWS_A_STATEMENT)) {
      await this.session
        .knex('message_flag')
        .insert(chunk.map(([messageId, flags]) => ({ user_id: userId, message_id: messageId, flags })))
        .onConflict(['user_id', 'message_id'])
        .merge(['flags'])
      await pauses.letOthers()
    }
  }

  /**
   * Replaces the flags in `mask` on one message by those of `flagsOf`. Other flags stay.
   *
   * @param mask bits of FLAG
   */
  async replaceFlags(messageId: MessageId, mask: number, flagsOf: ReadonlyMap<UserId, number>): Promise<void> {
    const rows = await this.session.all<{ user_id: UserId; flags: number }>(
      'select user_id, flags from message_flag where message_id = ?',
      [messageId],
    )
    for (const { user_id: userId, flags } of rows) {
      const wanted = (flags & ~mask) | (flagsOf.get(userId) ?? 0)
      if (wanted === flags) continue
      if (wanted === 0) {
        await this.session.run('delete from message_flag where user_id = ? and message_id = ?', [userId, messageId])
      } else {
        await this.session.run('update message_flag set flags = ? where user_id = ? and message_id = ?', [
          wanted,
          userId,
          messageId,
        ])
      }
    }
    const known = new Set(rows.map((row) => row.user_id))
    await this.insertFlags(messageId, new Map([...flagsOf].filter(([userId]) => !known.has(userId))))
  }

  /**
   * Removes the flags of some users on the messages; in pieces.
   *
   * @param which `historical` includes users who have a row only because they flagged the message without having
   * received it
   */
  async removeFlags(
    messageIds: readonly MessageId[],
    which: { readonly of: readonly UserId[]; readonly historical: boolean },
    pauses: Pauses,
  ): Promise<void> {
    for (const chunk of chunksOf(messageIds, PAGE)) {
      const messages = listOf(this.session.dialect, chunk)
      for (const userIds of chunksOf(which.of, PAGE)) {
        const users = listOf(this.session.dialect, userIds)
        await this.session.run(
          `delete from message_flag where message_id in ${messages.sql} and user_id in ${users.sql}`,
          [...messages.params, ...users.params],
        )
        await pauses.letOthers()
      }
      if (!which.historical) continue
      await this.session.run(
        `delete from message_flag where message_id in ${messages.sql} and (flags & ${FLAG.historical}) <> 0`,
        messages.params,
      )
      await pauses.letOthers()
    }
  }

  /**
   * Marks `ids` as read for all of `userIds`; others are served in between (SEC-LOOP-4).
   *
   * @returns by user the messages that were not read before, received or not; users who had read all have no entry
   */
  async markReadByAll(
    userIds: readonly UserId[],
    ids: readonly MessageId[],
    pauses = new Pauses(),
  ): Promise<Map<UserId, MessageId[]>> {
    const [userId, ...others] = userIds
    const [id, ...further] = ids
    if (userId === undefined || id === undefined) return new Map()
    // The usual case: the sender of a message has read it.
    if (others.length + further.length === 0) {
      return new Map((await this.setRead(userId, ids, true)).length > 0 ? [[userId, [id]]] : [])
    }
    const changed = new Map<UserId, MessageId[]>()
    const byBlock = [...Map.groupBy(ids, blockOf)]
    for (const chunk of chunksOf(userIds, READERS_A_STATEMENT)) {
      const list = listOf(this.session.dialect, chunk)
      const readers = await this.session.all<{ id: UserId; read_through: number }>(
        `select id, read_through from user where id in ${list.sql}`,
        list.params,
      )
      for (const [block, inBlock] of byBlock) {
        const rows = await this.session.all<BlockRow & { user_id: UserId }>(
          `select user_id, block, form, bits from read_block where block = ? and user_id in ${list.sql}`,
          [block, ...list.params],
        )
        const known = new Map(rows.map((row) => [row.user_id, { form: row.form as BlockForm, bits: row.bits }]))
        const written: { user_id: UserId; block: number; form: number; bits: Buffer }[] = []
        for (const reader of readers) {
          const before = known.get(reader.id)
          const changing = inBlock.filter((one) => !isRead(one, reader.read_through, before))
          if (changing.length === 0) continue
          changed.set(reader.id, [...(changed.get(reader.id) ?? []), ...changing])
          const { form, bits } = withRead(before, changing, reader.read_through)
          written.push({ user_id: reader.id, block, form, bits: Buffer.from(bits) })
          await pauses.letOthers()
        }
        if (written.length === 0) continue
        await this.session.knex('read_block').insert(written).onConflict(['user_id', 'block']).merge(['form', 'bits'])
        await pauses.letOthers()
      }
    }
    return changed
  }

  /**
   * Marks `ids` as read or unread. Writes a row for each block in which something changes, not for each message.
   *
   * @returns those that changed, in the given order
   */
  async setRead(userId: UserId, ids: readonly MessageId[], isNowRead: boolean): Promise<MessageId[]> {
    const byBlock = Map.groupBy(ids, blockOf)
    const blocks = await this.blocks(userId, [...byBlock.keys()])
    // It only matters for a block without a row.
    const readThrough = blocks.size === byBlock.size ? 0 : await this.readThrough(userId)
    const isChanging = (id: MessageId) => isRead(id, readThrough, blocks.get(blockOf(id))) !== isNowRead
    const changed = new Map<number, ReadBlock>()
    for (const [number, inBlock] of byBlock) {
      const changing = inBlock.filter(isChanging)
      if (changing.length === 0) continue
      changed.set(number, (isNowRead ? withRead : withUnread)(blocks.get(number), changing, readThrough))
    }
    const result = ids.filter(isChanging)
    await this.storeBlocks(userId, changed)
    return result
  }

  async storeBlocks(userId: UserId, blocks: ReadonlyMap<number, ReadBlock>): Promise<void> {
    for (const chunk of chunksOf([...blocks], ROWS_A_STATEMENT)) {
      await this.session.run(
        `replace into read_block (user_id, block, form, bits) values ${chunk.map(() => placeholders(4)).join(', ')}`,
        chunk.flatMap(([block, { form, bits }]) => [userId, block, form, bits]),
      )
    }
  }

  /** Marks everything up to `messageId` as read unless a block says otherwise, and deletes the rows of `completed`. */
  async raiseReadThrough(userId: UserId, messageId: MessageId, completed: readonly number[]): Promise<void> {
    await this.session.run('update user set read_through = ? where id = ?', [messageId, userId])
    await this.session.run(
      `delete from read_block where user_id = ? and block in (select value from ${LISTED[this.session.dialect]} as wanted)`,
      [userId, JSON.stringify(completed)],
    )
  }

  /** Marks everything up to `messageId`, the newest message, as read. */
  async markAllRead(userId: UserId, messageId: MessageId): Promise<void> {
    await this.session.run('update user set read_through = ? where id = ?', [messageId, userId])
    await this.session.run('delete from read_block where user_id = ?', [userId])
  }
}
