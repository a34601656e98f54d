import { type Attachment, MAX_LISTED_MESSAGES } from '../../domain/attachments/attachment.ts'
import { chunksOf } from '../../domain/chunks.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { listOf, ROWS_A_STATEMENT } from '../dialect.ts'
import { PAGE, rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface AttachmentRow {
  readonly id: number
  readonly path_id: string
  readonly file_name: string
  readonly content_type: string
  readonly size: number
  readonly owner_id: number
  readonly created_at: number
}

const COLUMNS = 'id, path_id, file_name, content_type, size, owner_id, created_at'

/**
 * The query for one list. A statement has several of these, because a single query with a limit for each list would
 * count everything.
 */
const NEWEST_MESSAGES = `select * from (select attachment_id as id, message_id from attachment_message
  where attachment_id = ? order by message_id desc limit ?) $`
/** SQLite allows 500. */
const LISTS_A_STATEMENT = 100

function fromRow(row: AttachmentRow): Attachment {
  return {
    id: row.id,
    pathId: row.path_id,
    fileName: row.file_name,
    contentType: row.content_type,
    size: Number(row.size),
    ownerId: row.owner_id as UserId,
    createdAt: row.created_at,
  }
}

/** Condition on a row of `attachment`: no version of any message refers to it. */
export const NOTHING_REFERS = `not exists (select 1 from attachment_message r where r.attachment_id = attachment.id)
  and not exists (select 1 from attachment_history h where h.attachment_id = attachment.id)`

/** Uploaded files, and the messages that refer to them. */
export class AttachmentReader extends Repository {
  async byId(id: number): Promise<Attachment | undefined> {
    const row = await this.session.get<AttachmentRow>(`select ${COLUMNS} from attachment where id = ?`, [id])
    return row && fromRow(row)
  }

  /** Check permissions/access-attachment.ts before showing anything of it. */
  async byPathId(pathId: string): Promise<Attachment | undefined> {
    return (await this.byPathIds([pathId]))[0]
  }

  /** Returns those of `pathIds` that exist, by ascending ID. */
  async byPathIds(pathIds: readonly string[]): Promise<Attachment[]> {
    return this.#where('path_id', pathIds)
  }

  /** By ascending ID. */
  async byIds(ids: readonly number[]): Promise<Attachment[]> {
    return this.#where('id', ids)
  }

  async #where(column: 'path_id' | 'id', values: readonly (string | number)[]): Promise<Attachment[]> {
    const sql = (list: string) => `select ${COLUMNS} from attachment where ${column} in ${list}`
    const rows = await rowsFor<AttachmentRow>(this.session, values, sql, { exactly: column })
    return rows.map(fromRow).sort((a, b) => a.id - b.id)
  }

  /** By ascending ID. */
  async ofOwner(ownerId: UserId): Promise<Attachment[]> {
    const sql = `select ${COLUMNS} from attachment where owner_id = ? order by id`
    return (await this.session.all<AttachmentRow>(sql, [ownerId])).map(fromRow)
  }

  /** Returns the bytes of all of their files. */
  async bytesOf(ownerIds: readonly UserId[]): Promise<number> {
    const list = listOf(this.session.dialect, ownerIds)
    const sql = `select coalesce(sum(size), 0) as bytes from attachment where owner_id in ${list.sql}`
    return Number((await this.session.get<{ bytes: number }>(sql, list.params))?.bytes)
  }

  /** By ascending ID. */
  async ofMessage(messageId: MessageId): Promise<Attachment[]> {
    const rows = await this.session.all<AttachmentRow>(
      `select a.${COLUMNS.replaceAll(', ', ', a.')} from attachment_message r join attachment a on a.id = r.attachment_id
       where r.message_id = ? order by a.id`,
      [messageId],
    )
    return rows.map(fromRow)
  }

  /** Returns those of the messages, at least one, that refer to files in any version, ascending. */
  async messagesWithFiles(messageIds: readonly MessageId[]): Promise<MessageId[]> {
    const list = listOf(this.session.dialect, messageIds)
    const rows = await this.session.all<{ id: MessageId }>(
      `select message_id as id from attachment_message where message_id in ${list.sql}
       union select message_id from attachment_history where message_id in ${list.sql} order by id`,
      [...list.params, ...list.params],
    )
    return rows.map(({ id }) => id)
  }

  /**
   * Returns the newest `limit` messages that refer to each of `ids`, ascending. Files without references
   * have no key.
   */
  async messageIds(
    ids: readonly number[],
    { pauses = new Pauses(), limit = MAX_LISTED_MESSAGES } = {},
  ): Promise<Map<number, MessageId[]>> {
    const messageIds = new Map<number, MessageId[]>()
    for (const chunk of chunksOf(ids, LISTS_A_STATEMENT)) {
      const rows = await this.session.all<{ id: number; message_id: MessageId }>(
        `${chunk.map((_, index) => NEWEST_MESSAGES.replace('$', `n${index}`)).join(' union all ')} order by 1, 2`,
        chunk.flatMap((id) => [id, limit]),
      )
      for (const { id, message_id: messageId } of rows) {
        const list = messageIds.get(id)
        if (list) list.push(messageId)
        else messageIds.set(id, [messageId])
      }
      await pauses.letOthers()
    }
    return messageIds
  }

  /** Returns messages that refer to the file with IDs below `before`, the newest first. */
  async messagesBefore(id: number, before: number, limit: number): Promise<MessageId[]> {
    const rows = await this.session.all<{ message_id: MessageId }>(
      'select message_id from attachment_message where attachment_id = ? and message_id < ? order by message_id desc limit ?',
      [id, before, limit],
    )
    return rows.map((row) => row.message_id)
  }

  /** Returns messages that refer to the file with IDs above `after`, the oldest first. */
  async messagesAfter(id: number, after: number, limit: number): Promise<MessageId[]> {
    const rows = await this.session.all<{ message_id: MessageId }>(
      'select message_id from attachment_message where attachment_id = ? and message_id > ? order by message_id limit ?',
      [id, after, limit],
    )
    return rows.map((row) => row.message_id)
  }

  /**
   * Returns files that nothing has referred to since before `time` (UNIX seconds), with IDs above `after`, ascending.
   */
  async unusedBefore(time: number, after: number, limit: number): Promise<Attachment[]> {
    const rows = await this.session.all<AttachmentRow>(
      `select ${COLUMNS} from attachment where unused_since < ? and id > ? order by id limit ?`,
      [time, after, limit],
    )
    return rows.map(fromRow)
  }

  /** Returns path IDs that begin with `beginning`, which contains only digits, `/` and a-f. */
  async pathIdsFrom(beginning: string): Promise<string[]> {
    const rows = await this.session.all<{ path_id: string }>(
      'select path_id from attachment where path_id >= ? and path_id < ?',
      [beginning, `${beginning}g`], // sorts after all hexadecimal digits and `/`
    )
    return rows.map((row) => row.path_id)
  }

  /** Returns the bytes of all files of the organization. */
  async spaceUsed(): Promise<number> {
    const row = await this.session.get<{ upload_space_used: number }>(
      'select upload_space_used from organization where id = 1',
    )
    return Number(row?.upload_space_used ?? 0)
  }
}

export class AttachmentWriter extends AttachmentReader {
  /**
   * Returns undefined if all files together would exceed `quotaBytes`. The sum is in a row of its own, whose lock makes
   * concurrent uploads count each other.
   */
  async insert(attachment: Omit<Attachment, 'id'>, quotaBytes: number | null): Promise<Attachment | undefined> {
    const { changes } = await this.session.run(
      'update organization set upload_space_used = upload_space_used + ? where id = 1 and upload_space_used + ? <= ?',
      [attachment.size, attachment.size, quotaBytes ?? Number.MAX_SAFE_INTEGER],
    )
    if (changes === 0) return undefined
    const { insertId } = await this.session.run(
      'insert into attachment (path_id, file_name, content_type, size, owner_id, created_at, unused_since) values (?, ?, ?, ?, ?, ?, ?)',
      [
        attachment.pathId,
        attachment.fileName,
        attachment.contentType,
        attachment.size,
        attachment.ownerId,
        attachment.createdAt,
        attachment.createdAt,
      ],
    )
    return { id: insertId, ...attachment }
  }

  /** Removes the row of a file, its thumbnails and its references. */
  async delete({ id, size }: Attachment): Promise<void> {
    await this.session.run('delete from attachment_message where attachment_id = ?', [id])
    await this.session.run('delete from attachment_history where attachment_id = ?', [id])
    await this.session.run('delete from thumbnail where attachment_id = ?', [id])
    await this.session.run('delete from image where attachment_id = ?', [id])
    const { changes } = await this.session.run('delete from attachment where id = ?', [id])
    if (changes === 0) return
    await this.session.run('update organization set upload_space_used = upload_space_used - ? where id = 1', [size])
  }

  /** Adds files to which the message does not refer yet. */
  async link(messageId: MessageId, ids: readonly number[]): Promise<void> {
    for (const chunk of chunksOf(ids, ROWS_A_STATEMENT)) {
      await this.session
        .knex('attachment_message')
        .insert(chunk.map((attachmentId) => ({ attachment_id: attachmentId, message_id: messageId })))
      await this.session
        .knex('attachment')
        .whereIn('id', [...chunk])
        .update({ unused_since: null })
    }
  }

  /** Call it for an edited message, whose former version still refers to the files. */
  async unlinkPresent(messageId: MessageId, ids: readonly number[]): Promise<void> {
    for (const chunk of chunksOf(ids, ROWS_A_STATEMENT)) {
      const rows = chunk.map((attachmentId) => ({ attachment_id: attachmentId, message_id: messageId }))
      await this.session.knex('attachment_history').insert(rows).onConflict().ignore()
      await this.#unlink('attachment_message', messageId, chunk)
    }
  }

  /** Call it for a deleted message with all its versions. @param now UNIX seconds */
  async forgetMessage(messageId: MessageId, now: number): Promise<void> {
    const rows = await this.session.all<{ id: number }>(
      `select attachment_id as id from attachment_message where message_id = ?
       union select attachment_id from attachment_history where message_id = ?`,
      [messageId, messageId],
    )
    for (const chunk of chunksOf(
      rows.map(({ id }) => id),
      PAGE,
    )) {
      await this.#unlink('attachment_message', messageId, chunk)
      await this.#unlink('attachment_history', messageId, chunk)
      const list = listOf(this.session.dialect, chunk)
      await this.session.run(`update attachment set unused_since = ? where id in ${list.sql} and ${NOTHING_REFERS}`, [
        now,
        ...list.params,
      ])
    }
  }

  async #unlink(table: string, messageId: MessageId, ids: readonly number[]): Promise<void> {
    await this.session
      .knex(table)
      .where('message_id', messageId)
      .whereIn('attachment_id', [...ids])
      .delete()
  }
}
