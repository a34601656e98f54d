import type { SqlValue } from '../session.ts'
import type { Column, Noun } from './columns.ts'

/** A table whose rows stand in an archive as they are, one a line. */
export interface ArchivedTable {
  /** In the archive. */
  readonly folder: string
  readonly table: string
  readonly columns: Readonly<Record<string, Column>>
  /** Columns by which rows are ordered, the first with numbers; all of them together are a key. */
  readonly order: readonly [string, ...string[]]
  /** Whose rows these are, where they are somebody's own. */
  readonly owner?: 'user_id' | 'bot_id'
  /** What the column `id` is the id of. */
  readonly noun?: Noun
  /** Which rows go along. */
  readonly where?: string
  /** Columns that follow from others. */
  readonly derived?: (stored: Readonly<Record<string, SqlValue>>) => Readonly<Record<string, SqlValue>>
  /** Whether a row takes the place of one that is there. */
  readonly replaces?: true
}
