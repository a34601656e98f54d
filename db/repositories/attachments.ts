import { type Attachment, MAX_LISTED_MESSAGES } from '../../domain/attachments/attachment.ts'
import { chunksOf } from '../../domain/chunks.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import { listOf, MAX_VARIABLES, ROWS_A_STATEMENT } from '../dialect.ts'
import { Pauses } from '../pauses.ts'
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

/** The query for one list; a statement has several, because a limit for each in one query would count everything. */
const NEWEST_MESSAGES = `select * from (select attachment_id as id, message_id from attachment_message
  where attachment_id = ? order by message_id desc limit ?) $`
/** SQLite takes 500. */
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

/** Uploaded files, and the messages that refer to them. */
/** Of a row of `attachment`: that no message does, in any version of it. */
export const NOTHING_REFERS = `not exists (select 1 from attachment_message r where r.attachment_id = attachment.id)
  and not exists (select 1 from attachment_history h where h.attachment_id = attachment.id)`

export class AttachmentReader extends Repository {
  async byId(id: number): Promise<Attachment | undefined> {
    const row = await this.session.get<AttachmentRow>(`select ${COLUMNS} from attachment where id = ?`, [id])
    return row && fromRow(row)
  }

  /** Ask permissions/access-attachment.ts before anything of it is shown. */
  async byPathId(pathId: string): Promise<Attachment | undefined> {
    const row = await this.session.get<AttachmentRow>(`select ${COLUMNS} from attachment where path_id = ?`, [pathId])
    return row && fromRow(row)
  }

  /** Those of `pathIds` that exist, by ascending id. */
  async byPathIds(pathIds: readonly string[]): Promise<Attachment[]> {
    return this.#where('path_id', pathIds)
  }

  /** By ascending id. */
  async byIds(ids: readonly number[]): Promise<Attachment[]> {
    return this.#where('id', ids)
  }

  async #where(column: 'path_id' | 'id', values: readonly (string | number)[]): Promise<Attachment[]> {
    const rows: AttachmentRow[] = []
    for (const chunk of chunksOf(values, MAX_VARIABLES)) {
      rows.push(...(await this.session.knex<AttachmentRow>('attachment').select().whereIn(column, chunk)))
    }
    return rows.map(fromRow).sort((a, b) => a.id - b.id)
  }

  /** By ascending id. */
  async ofOwner(ownerId: UserId): Promise<Attachment[]> {
    const sql = `select ${COLUMNS} from attachment where owner_id = ? order by id`
    return (await this.session.all<AttachmentRow>(sql, [ownerId])).map(fromRow)
  }

  /** All of their files together. */
  async bytesOf(ownerIds: readonly UserId[]): Promise<number> {
    const list = listOf(this.session.dialect, ownerIds)
    const sql = `select coalesce(sum(size), 0) as bytes from attachment where owner_id in ${list.sql}`
    return Number((await this.session.get<{ bytes: number }>(sql, list.params))?.bytes)
  }

  /** By ascending id. */
  async ofMessage(messageId: MessageId): Promise<Attachment[]> {
    const rows = await this.session.all<AttachmentRow>(
      `select a.${COLUMNS.replaceAll(', ', ', a.')} from attachment_message r join attachment a on a.id = r.attachment_id
       where r.message_id = ? order by a.id`,
      [messageId],
    )
    return rows.map(fromRow)
  }

  /** Those of the messages that refer to files, in any version of them, ascending; there is at least one. */
  async messagesWithFiles(messageIds: readonly MessageId[]): Promise<MessageId[]> {
    const list = listOf(this.session.dialect, messageIds)
    const rows = await this.session.all<{ id: MessageId }>(
      `select message_id as id from attachment_message where message_id in ${list.sql}
       union select message_id from attachment_history where message_id in ${list.sql} order by id`,
      [...list.params, ...list.params],
    )
    return rows.map(({ id }) => id)
  }

  /** The newest MAX_LISTED_MESSAGES messages that refer to each of `ids`, ascending. What nothing refers to has no key. */
  async messageIds(ids: readonly number[], pauses = new Pauses()): Promise<Map<number, MessageId[]>> {
    const messageIds = new Map<number, MessageId[]>()
    for (const chunk of chunksOf(ids, LISTS_A_STATEMENT)) {
      const rows = await this.session.all<{ id: number; message_id: MessageId }>(
        `${chunk.map((_, index) => NEWEST_MESSAGES.replace('$', `n${index}`)).join(' union all ')} order by 1, 2`,
        chunk.flatMap((id) => [id, MAX_LISTED_MESSAGES]),
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

  /** Messages that refer to the file and have a lower id than `before`, the newest first. */
  async messagesBefore(id: number, before: number, limit: number): Promise<MessageId[]> {
    const rows = await this.session.all<{ message_id: MessageId }>(
      'select message_id from attachment_message where attachment_id = ? and message_id < ? order by message_id desc limit ?',
      [id, before, limit],
    )
    return rows.map((row) => row.message_id)
  }

  /** Messages that refer to the file and have a higher id than `after`, the oldest first. */
  async messagesAfter(id: number, after: number, limit: number): Promise<MessageId[]> {
    const rows = await this.session.all<{ message_id: MessageId }>(
      'select message_id from attachment_message where attachment_id = ? and message_id > ? order by message_id limit ?',
      [id, after, limit],
    )
    return rows.map((row) => row.message_id)
  }

  /** Files to which nothing has referred since before `time` (UNIX seconds), with ids higher than `after`, ascending. */
  async unusedBefore(time: number, after: number, limit: number): Promise<Attachment[]> {
    const rows = await this.session.all<AttachmentRow>(
      `select ${COLUMNS} from attachment where unused_since < ? and id > ? order by id limit ?`,
      [time, after, limit],
    )
    return rows.map(fromRow)
  }

  /** Path ids that begin with `beginning`, which holds nothing but what path ids begin with: digits, `/`, a-f. */
  async pathIdsFrom(beginning: string): Promise<string[]> {
    const rows = await this.session.all<{ path_id: string }>(
      'select path_id from attachment where path_id >= ? and path_id < ?',
      [beginning, `${beginning}g`], // behind all hexadecimal digits and `/`
    )
    return rows.map((row) => row.path_id)
  }

  /** Bytes of all files of the organization. */
  async spaceUsed(): Promise<number> {
    const row = await this.session.get<{ upload_space_used: number }>(
      'select upload_space_used from organization where id = 1',
    )
    return Number(row?.upload_space_used ?? 0)
  }
}

export class AttachmentWriter extends AttachmentReader {
  /**
   * Undefined when all files together would have more than `quotaBytes`. The sum is kept in a row of its own, whose
   * lock makes uploads at the same moment count each other.
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

  /** Removes the file's row, its thumbnails and its place in messages. */
  async delete({ id, size }: Attachment): Promise<void> {
    await this.session.run('delete from attachment_message where attachment_id = ?', [id])
    await this.session.run('delete from attachment_history where attachment_id = ?', [id])
    await this.session.run('delete from thumbnail where attachment_id = ?', [id])
    await this.session.run('delete from image where attachment_id = ?', [id])
    const { changes } = await this.session.run('delete from attachment where id = ?', [id])
    if (changes === 0) return
    await this.session.run('update organization set upload_space_used = upload_space_used - ? where id = 1', [size])
  }

  /** Files that the message does not refer to yet. */
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

  /** For a message that is edited: its former version still refers to the files. */
  async unlinkPresent(messageId: MessageId, ids: readonly number[]): Promise<void> {
    for (const chunk of chunksOf(ids, ROWS_A_STATEMENT)) {
      const rows = chunk.map((attachmentId) => ({ attachment_id: attachmentId, message_id: messageId }))
      await this.session.knex('attachment_history').insert(rows).onConflict().ignore()
      await this.#unlink('attachment_message', messageId, chunk)
    }
  }

  /** For a message that is deleted, with all its versions. @param now UNIX seconds */
  async forgetMessage(messageId: MessageId, now: number): Promise<void> {
    const rows = await this.session.all<{ id: number }>(
      `select attachment_id as id from attachment_message where message_id = ?
       union select attachment_id from attachment_history where message_id = ?`,
      [messageId, messageId],
    )
    for (const chunk of chunksOf(
      rows.map(({ id }) => id),
      MAX_VARIABLES / 2,
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
