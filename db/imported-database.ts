import { existsSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { systemClock, unixSeconds } from '../domain/clock.ts'
import type { UserId } from '../domain/ids.ts'
import { BLOCK_SIZE, blockOf, newestRead, type ReadBlock } from '../domain/messages/read-state.ts'
import { topicKey } from '../domain/text/text-keys.ts'
import { conclusions } from './archive/conclusions.ts'
import { linkFormerVersions } from './archive/former-versions.ts'
import { type DatabaseLocation, openEngine } from './database.ts'
import { isUniqueViolation } from './dialect.ts'
import { sizeOf } from './insert-many.ts'
import { migrate } from './migrate.ts'
import { membersHash } from './repositories/direct-groups.ts'
import type { Engine, Session, SqlValue } from './session.ts'
import { putInPlace, removeDatabase } from './sqlite-backup.ts'
import { UnusableDatabaseError } from './unusable.ts'

/** A row to be stored, and its place in the archive. */
interface WaitingRow {
  readonly values: readonly SqlValue[]
  readonly place: string
}

const ROWS_A_STATEMENT = { sqlite: 1, mariadb: 200 } as const
/**
 * Maximum number of waiting rows of all tables, and of their characters and bytes. MariaDB refuses statements of more
 * than 16 MiB by default, and a character takes up to three.
 */
const MAX_WAITING = 1000
const MAX_WAITING_CHARACTERS = 2_000_000
/** Rows between two commits, for a database that nobody uses before the last step. */
const ROWS_A_COMMIT = 20_000

/** Topics and conversations whose IDs are cached. */
const MAX_CACHED = 20_000

/** The archive contains something twice; `place` says where. */
export class TwiceError extends Error {
  override readonly name = 'TwiceError'
  readonly place: string
  constructor(place: string) {
    super(`${place} says what another line has said`)
    this.place = place
  }
}

/**
 * A database filled with the rows of an archive, which exists as a whole or not at all: on SQLite a file that gets its
 * name at the end, on MariaDB one transaction. A killed import leaves only an empty database.
 */
export class ImportedDatabase {
  readonly #engine: Engine
  /** The temporary and the final file name; undefined if a transaction is used instead. */
  readonly #file: { readonly unfinished: string; readonly whole: string } | undefined
  /** Rows by the beginning of their statement. */
  readonly #waiting = new Map<string, WaitingRow[]>()
  readonly #topics = new LRUCache<string, number>({ max: MAX_CACHED })
  readonly #conversations = new LRUCache<string, number>({ max: MAX_CACHED })
  #rows = 0
  #characters = 0
  #sinceCommit = 0

  private constructor(engine: Engine, file: { unfinished: string; whole: string } | undefined) {
    this.#engine = engine
    this.#file = file
  }

  /** @throws {UnusableDatabaseError} if there is an organization already */
  static async open(location: DatabaseLocation): Promise<ImportedDatabase> {
    const isSqlite = location.kind === 'sqlite'
    if (isSqlite && existsSync(location.file)) await requireEmpty(location)
    const file = isSqlite ? { unfinished: `${location.file}.import`, whole: location.file } : undefined
    if (file) await removeDatabase(file.unfinished)
    const engine = await openEngine(
      isSqlite
        ? { kind: 'sqlite', file: `${location.file}.import`, synchronous: 'OFF' }
        : { ...location, isExclusive: true },
    )
    const imported = new ImportedDatabase(engine, file)
    try {
      await migrate(engine.writer)
      if (await hasOrganization(engine.writer)) throw new UnusableDatabaseError(NOT_EMPTY)
      // Rows come in the order of the archive, which may refer to later rows.
      await engine.writer.run(isSqlite ? 'pragma foreign_keys = off' : 'set foreign_key_checks = 0')
      await engine.writer.begin()
      return imported
    } catch (err) {
      await imported.abandon()
      throw err
    }
  }

  /** Sees everything that was added before the last `flush`. */
  get session(): Session {
    return this.#engine.writer
  }

  /** Adds a row. @throws {TwiceError} now or later */
  async add(table: string, row: Readonly<Record<string, SqlValue>>, place: string, replaces = false): Promise<void> {
    const columns = Object.keys(row)
    const verb = replaces ? 'replace into' : 'insert into'
    const into = `${verb} ${table} (${columns.map((name) => `\`${name}\``).join(', ')})`
    const waiting = this.#waiting.get(into) ?? []
    this.#waiting.set(into, waiting)
    const values = Object.values(row)
    waiting.push({ values, place })
    this.#rows += 1
    this.#characters += sizeOf(values)
    if (this.#rows >= MAX_WAITING || this.#characters >= MAX_WAITING_CHARACTERS) await this.flush()
  }

  /** Stores the waiting rows. @throws {TwiceError} */
  async flush(): Promise<void> {
    for (const [into, rows] of this.#waiting) {
      const size = ROWS_A_STATEMENT[this.#engine.dialect]
      for (let start = 0; start < rows.length; start += size) await this.#insert(into, rows.slice(start, start + size))
    }
    this.#sinceCommit += this.#rows
    this.#waiting.clear()
    this.#rows = 0
    this.#characters = 0
    if (!this.#file || this.#sinceCommit < ROWS_A_COMMIT) return
    await this.#engine.writer.commit()
    await this.#engine.writer.begin()
    this.#sinceCommit = 0
  }

  async #insert(into: string, rows: readonly WaitingRow[]): Promise<void> {
    const [first] = rows
    if (!first) return
    const row = `(${first.values.map(() => '?').join(', ')})`
    try {
      await this.session.run(
        `${into} values ${rows.map(() => row).join(', ')}`,
        rows.flatMap(({ values }) => values),
      )
    } catch (err) {
      if (!isUniqueViolation(err)) throw err
      if (rows.length === 1) throw new TwiceError(first.place)
      // One of them failed; find out which.
      for (const one of rows) await this.#insert(into, [one])
    }
  }

  /** Returns the topic with exactly this spelling, creating it if needed. */
  async topicId(channelId: number, name: string): Promise<number> {
    const key = `${channelId}>${name}`
    let id = this.#topics.get(key)
    if (id === undefined) {
      const values = [channelId, topicKey(name), name]
      const sql = 'select id from topic where channel_id = ? and topic_key = ? and name = ?'
      id = (await this.session.get<{ id: number }>(sql, values))?.id
      const insert = 'insert into topic (channel_id, topic_key, name, max_message_id) values (?, ?, ?, 0)'
      id ??= (await this.session.run(insert, values)).insertId
      this.#topics.set(key, id)
    }
    return id
  }

  /** Returns the conversation of exactly these users, creating it if needed. @param members by ascending ID */
  async conversationId(members: readonly UserId[], place: string): Promise<number> {
    const key = membersHash(members)
    let id = this.#conversations.get(key)
    if (id === undefined) {
      const sql = 'select id from direct_group where members_hash = ?'
      id = (await this.session.get<{ id: number }>(sql, [key]))?.id
      if (id === undefined) {
        id = (await this.session.run('insert into direct_group (members_hash) values (?)', [key])).insertId
        for (const user_id of members) await this.add('direct_group_member', { user_id, group_id: id }, place)
      }
      this.#conversations.set(key, id)
    }
    return id
  }

  /** Returns what the archive said about a file, or undefined. */
  async file(pathId: string): Promise<{ readonly id: number; readonly size: number } | undefined> {
    const sql = 'select id, size from attachment where path_id = ?'
    const row = await this.session.get<{ id: number; size: number }>(sql, [pathId])
    return row && { id: row.id, size: Number(row.size) }
  }

  async setSettings(userId: number, settings: string, readThrough: number): Promise<void> {
    const sql = 'update user set settings = ?, read_through = ? where id = ?'
    await this.session.run(sql, [settings, readThrough, userId])
  }

  /** Computes what follows from the rows. @param lastMessageId later messages get higher IDs */
  async complete(lastMessageId: number): Promise<void> {
    await this.flush()
    await linkFormerVersions(this.session)
    for (const [sql, ...params] of conclusions(lastMessageId, unixSeconds(systemClock))) {
      await this.session.run(sql, params)
    }
    await this.session.run('update log_head set last_message_id = ?', [await this.#newestNamed(lastMessageId)])
  }

  /**
   * Returns the newest message ID in what people received and have read. While an administrator's export was made, they
   * went on with messages that are not in it, so no other message may get these IDs.
   */
  async #newestNamed(lastMessageId: number): Promise<number> {
    const spans = await this.session.get<Record<'after' | 'to', number | null>>(
      'select max(after_message_id) as "after", max(to_message_id) as "to" from subscription_span',
    )
    const blocks = await this.session.all<ReadBlock & { readonly block: number }>(
      'select block, form, bits from read_block where block >= ?',
      [blockOf(lastMessageId)],
    )
    const read = blocks.map((row) => row.block * BLOCK_SIZE + newestRead(row))
    return Math.max(lastMessageId, spans?.after ?? 0, spans?.to ?? 0, ...read)
  }

  /** All files that the archive has mentioned. */
  async *files(): AsyncIterable<{ readonly id: number; readonly pathId: string }> {
    for (let after = 0; ; ) {
      const sql = 'select id, path_id as pathId from attachment where id > ? order by id limit 500'
      const rows = await this.session.all<{ id: number; pathId: string }>(sql, [after])
      yield* rows
      const last = rows.at(-1)
      if (!last) return
      after = last.id
    }
  }

  /**
   * Removes files whose bytes did not arrive, and links of messages to files that do not exist. @returns the number of
   * files
   */
  async removeFilesWithout(has: (id: number) => boolean): Promise<number> {
    let removed = 0
    for await (const { id } of this.files()) {
      if (has(id)) continue
      await this.session.run('delete from attachment where id = ?', [id])
      removed += 1
    }
    await this.session.run('delete from attachment_message where attachment_id not in (select id from attachment)')
    return removed
  }

  /** Completes the database. Only now does it exist. */
  async finish(): Promise<void> {
    await this.flush()
    await this.#engine.writer.commit()
    await this.#engine.close()
    if (!this.#file) return
    await putInPlace(this.#file.unfinished, this.#file.whole)
  }

  /** Removes everything again. */
  async abandon(): Promise<void> {
    await Promise.resolve(this.#engine.writer.rollback()).catch(() => undefined)
    await this.#engine.close()
    if (this.#file) await removeDatabase(this.#file.unfinished)
  }
}

const NOT_EMPTY = 'There is an organization already: move it away, or name another data folder or DATABASE_URL'

async function hasOrganization(session: Session): Promise<boolean> {
  for (const table of ['organization', 'user', 'message']) {
    if ((await session.get(`select id from ${table} limit 1`)) !== undefined) return true
  }
  return false
}

/** A file whose tables nobody has used counts as empty. @throws {UnusableDatabaseError} */
async function requireEmpty(location: DatabaseLocation): Promise<void> {
  const engine = await openEngine(location)
  try {
    await migrate(engine.writer)
    if (await hasOrganization(engine.writer)) throw new UnusableDatabaseError(NOT_EMPTY)
  } finally {
    await engine.close()
  }
}
