import type { SqlValue } from '../session.ts'
import type { Column, Noun } from './columns.ts'

/** A table whose rows an archive contains unchanged, one per line. */
export interface ArchivedTable {
  /** Folder in the archive. */
  readonly folder: string
  readonly table: string
  readonly columns: Readonly<Record<string, Column>>
  /** Columns by which rows are sorted. The first one is numeric, and together they are a key. */
  readonly order: readonly [string, ...string[]]
  /** Owner of the rows, if they belong to one account. */
  readonly owner?: 'user_id' | 'bot_id'
  /** What the column `id` identifies. */
  readonly noun?: Noun
  /** Which rows are included. */
  readonly where?: string
  /** Computes columns that depend on others. */
  readonly derived?: (stored: Readonly<Record<string, SqlValue>>) => Readonly<Record<string, SqlValue>>
  /** Whether a row replaces an existing one. */
  readonly replaces?: true
}
