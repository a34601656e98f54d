import type { Knex } from 'knex'
import * as firstRelease from './0049-first-release.ts'
import * as indexKanaAgain from './0050-index-kana-again.ts'

interface Migration {
  readonly name: string
  up(knex: Knex): Promise<void>
}

/**
 * In order. Migrations only add, because processes of the previous release go on while the first process of this
 * release runs them. Unused tables and columns are removed one release later. Names have no extension, because the
 * sources and `dist/` share databases.
 */
const MIGRATIONS: readonly Migration[] = [
  // Databases know release 0.1.0 by its last migration.
  { name: '0049-bots-below-owners', up: firstRelease.up },
  { name: '0050-index-kana-again', up: indexKanaAgain.up },
]

export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name)
/** Identifies the release of a backup. */
export const NEWEST_MIGRATION = MIGRATION_NAMES.at(-1) ?? ''

export const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: () => Promise.resolve([...MIGRATIONS]),
  getMigrationName: (migration) => migration.name,
  getMigration: (migration) =>
    Promise.resolve({
      up: migration.up,
      down: () => Promise.reject(new Error(`migration ${migration.name} has no way back`)),
    }),
}
