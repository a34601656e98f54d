import type { CustomEmoji } from '../../domain/emoji/custom-emoji.ts'
import type { UserId } from '../../domain/ids.ts'
import { rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface CustomEmojiRow {
  readonly id: number
  readonly name: string
  readonly file_name: string
  readonly author_id: number | null
  readonly is_deactivated: number
  readonly is_animated: number
}

const COLUMNS = 'id, name, file_name, author_id, is_deactivated, is_animated'
/** Not the ID of anything. */
const NO_ID = 0

function fromRow(row: CustomEmojiRow): CustomEmoji {
  return {
    id: row.id,
    name: row.name,
    fileName: row.file_name,
    authorId: row.author_id as UserId | null,
    isDeactivated: row.is_deactivated === 1,
    isAnimated: row.is_animated === 1,
  }
}

/** Emoji that the organization added. */
export class CustomEmojiReader extends Repository {
  /** Includes deactivated ones, by ascending ID. */
  async all(): Promise<CustomEmoji[]> {
    return (await this.session.all<CustomEmojiRow>(`select ${COLUMNS} from custom_emoji order by id`)).map(fromRow)
  }

  /** Returns active ones with one of `names`. One query for each PAGE. */
  async byNames(names: readonly string[]): Promise<CustomEmoji[]> {
    const sql = (list: string) => `select ${COLUMNS} from custom_emoji where is_deactivated = 0 and name in ${list}`
    return (await rowsFor<CustomEmojiRow>(this.session, names, sql, { exactly: 'name' })).map(fromRow)
  }

  /** Returns those with this name, and the one whose ID is `code`, by ascending ID. */
  async candidates(name: string, code: string | undefined): Promise<CustomEmoji[]> {
    const id = code !== undefined && /^[1-9]\d{0,8}$/.test(code) ? Number(code) : NO_ID
    const rows = await this.session.all<CustomEmojiRow>(
      `select ${COLUMNS} from custom_emoji where name = ? or id = ? order by id`,
      [name, id],
    )
    return rows.map(fromRow)
  }
}

export class CustomEmojiWriter extends CustomEmojiReader {
  async insert({ name, fileName, authorId, isAnimated }: Omit<CustomEmoji, 'id' | 'isDeactivated'>): Promise<void> {
    await this.session.run(
      'insert into custom_emoji (name, file_name, author_id, is_deactivated, is_animated) values (?, ?, ?, 0, ?)',
      [name, fileName, authorId, Number(isAnimated)],
    )
  }

  async deactivate(id: number): Promise<void> {
    await this.session.run('update custom_emoji set is_deactivated = 1 where id = ?', [id])
  }
}
