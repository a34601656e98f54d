import { chunksOf } from '../domain/chunks.ts'
import type { UserId } from '../domain/ids.ts'
import { ROWS_A_STATEMENT } from './dialect.ts'
import { Repository } from './repository.ts'
import type { Session, SqlValue } from './session.ts'

/** A row that belongs to one user. */
interface OwnItem {
  readonly id: number
}

/** The storage of such rows: a table with `id`, `user_id` and further columns. */
interface Layout<Item extends OwnItem, Row> {
  readonly table: string
  /** Columns with long texts, whose bytes count against the limit. */
  readonly texts: readonly string[]
  /** Columns by which a list is sorted. */
  readonly order: string
  toRow(item: Omit<Item, 'id'>): Readonly<Record<string, SqlValue>>
  fromRow(row: Row & OwnItem): Item
}

/** Rows that belong to one user, who alone can see them. */
class OwnRowsReader<Item extends OwnItem, Row> extends Repository {
  protected readonly layout: Layout<Item, Row>

  constructor(session: Session, layout: Layout<Item, Row>) {
    super(session)
    this.layout = layout
  }

  /** Returns all rows of `userId`. One query. */
  async of(userId: UserId): Promise<Item[]> {
    const { table, order, fromRow } = this.layout
    const sql = `select * from ${table} where user_id = ? order by ${order}`
    return (await this.session.all<Row & OwnItem>(sql, [userId])).map(fromRow)
  }

  async get(userId: UserId, id: number): Promise<Item | undefined> {
    const sql = `select * from ${this.layout.table} where user_id = ? and id = ?`
    const row = await this.session.get<Row & OwnItem>(sql, [userId, id])
    return row && this.layout.fromRow(row)
  }

  async has(userId: UserId, id: number): Promise<boolean> {
    const sql = `select id from ${this.layout.table} where user_id = ? and id = ?`
    return (await this.session.get(sql, [userId, id])) !== undefined
  }

  /** Returns number and bytes of the rows of `userId`. One query. */
  async room(userId: UserId): Promise<{ readonly count: number; readonly bytes: number }> {
    const { table, texts } = this.layout
    const bytes = texts.map((column) => `octet_length(${column})`).join(' + ')
    const sql = `select count(*) as count, coalesce(sum(${bytes}), 0) as bytes from ${table} where user_id = ?`
    const row = await this.session.get<{ count: number; bytes: number }>(sql, [userId])
    return { count: Number(row?.count), bytes: Number(row?.bytes) }
  }
}

class OwnRowsWriter<Item extends OwnItem, Row> extends OwnRowsReader<Item, Row> {
  /** @returns the items in order, with ascending IDs */
  async insert(userId: UserId, items: readonly Omit<Item, 'id'>[]): Promise<Item[]> {
    const { table, toRow } = this.layout
    const last = `select coalesce(max(id), 0) as id from ${table} where user_id = ?`
    const { id: before } = (await this.session.get<OwnItem>(last, [userId])) as OwnItem
    for (const chunk of chunksOf(items, ROWS_A_STATEMENT)) {
      await this.session.knex(table).insert(chunk.map((item) => ({ user_id: userId, ...toRow(item) })))
    }
    const made = `select id from ${table} where user_id = ? and id > ? order by id`
    const rows = await this.session.all<OwnItem>(made, [userId, before])
    if (rows.length !== items.length) throw new Error(`${rows.length} rows in ${table} for ${items.length} items`)
    return items.map((item, index) => ({ ...item, id: rows[index]?.id }) as Item)
  }

  /** @returns false if `userId` has no such item */
  async replace(userId: UserId, { id, ...item }: Item): Promise<boolean> {
    const { table, toRow } = this.layout
    return (await this.session.knex(table).where({ id, user_id: userId }).update(toRow(item))) > 0
  }

  /** @returns false if `userId` has no such item */
  async delete(userId: UserId, id: number): Promise<boolean> {
    return (await this.session.knex(this.layout.table).where({ id, user_id: userId }).delete()) > 0
  }

  /** Removes all rows of `userId`. */
  async clear(userId: UserId): Promise<void> {
    await this.session.knex(this.layout.table).where({ user_id: userId }).delete()
  }
}

/** Operations on such rows. */
export type OwnRows<Item extends OwnItem> = Pick<
  OwnRowsWriter<Item, never>,
  'get' | 'room' | 'insert' | 'replace' | 'delete'
>

/** Public members. Named here because the type declarations of packages cannot name an anonymous class. */
type Public<Class> = Pick<Class, keyof Class>

/** A repository of rows that belong to one user. */
export interface OwnRepository<Item extends OwnItem> {
  readonly reader: new (session: Session) => Public<OwnRowsReader<Item, never>>
  readonly writer: new (session: Session) => Public<OwnRowsWriter<Item, never>>
}

export function ownRows<Item extends OwnItem, Row>(layout: Layout<Item, Row>): OwnRepository<Item> {
  return {
    reader: class extends OwnRowsReader<Item, Row> {
      constructor(session: Session) {
        super(session, layout)
      }
    },
    writer: class extends OwnRowsWriter<Item, Row> {
      constructor(session: Session) {
        super(session, layout)
      }
    },
  }
}
