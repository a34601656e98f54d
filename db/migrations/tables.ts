import type { Knex } from 'knex'

/** How tables look in either database. Frozen like the migrations: what they made must not look different tomorrow. */
export interface Tables {
  /** Type of a primary key that the log's counter gives out. */
  readonly bigPrimaryKey: string
  create(name: string, columns: (table: Knex.CreateTableBuilder) => void): Promise<void>
  /** Type of a text column whose values are equal only when every character is, including spaces at the end. */
  exactText(length: number): string
  /** Adds those of `columns` that `table` lacks. */
  addColumns(table: string, columns: Readonly<Record<string, (table: Knex.AlterTableBuilder) => void>>): Promise<void>
  addIndex(table: string, columns: readonly string[]): Promise<void>
  /** The rows that have a flag set, by id: for flags that few rows have. */
  addFlagIndex(table: string, flag: string): Promise<void>
  /**
   * An index of words in ASCII, with the message's id as its key (SQLite: its rowid). Neither database gets to see a
   * letter that it would fold, split or drop in its own way.
   */
  createFullText(name: string): Promise<void>
}

/**
 * MariaDB commits after every statement, so a migration that was killed leaves some of its work behind. Each step
 * therefore begins where it finds things: a table of an unfinished migration is empty and made again.
 */
export function tablesOf(knex: Knex): Tables {
  const isSqlite = knex.client.config.client === 'better-sqlite3'
  return {
    // SQLite makes only a column of the very type `integer` an alias of the rowid, which saves an index.
    bigPrimaryKey: isSqlite ? 'integer' : 'bigint unsigned',
    async create(name, columns) {
      await knex.schema.dropTableIfExists(name)
      await knex.schema.createTable(name, (table) => {
        if (!isSqlite) {
          table.engine('InnoDB')
          table.charset('utf8mb4')
          table.collate('utf8mb4_bin')
        }
        columns(table)
      })
    },
    // MariaDB's other collations compare as if the shorter text ended in spaces.
    exactText: (length) =>
      isSqlite ? `varchar(${length})` : `varchar(${length}) character set utf8mb4 collate utf8mb4_nopad_bin`,
    async addColumns(table, columns) {
      for (const [name, add] of Object.entries(columns)) {
        if (!(await knex.schema.hasColumn(table, name))) await knex.schema.alterTable(table, add)
      }
    },
    async addIndex(table, columns) {
      const names = columns.map((column) => knex.ref(column))
      const index = knex.ref([table, ...columns, 'index'].join('_'))
      await knex.raw(`create index if not exists ${index} on ${knex.ref(table)} (${names.join(', ')})`)
    },
    async addFlagIndex(table, flag) {
      // On SQLite a row without the flag costs nothing; MariaDB knows no such index.
      const [columns, condition] = isSqlite ? ['id', `where ${flag} = 1`] : [`${flag}, id`, '']
      await knex.raw(`create index if not exists ${table}_${flag}_index on ${table} (${columns}) ${condition}`)
    },
    async createFullText(name) {
      await knex.schema.dropTableIfExists(name)
      // Contentless, and without positions: it says which messages have a word, and nothing else is asked.
      await knex.raw(
        isSqlite
          ? `create virtual table ${name} using fts5(terms, content='', contentless_delete=1, detail=none,
               tokenize="ascii tokenchars '_'")`
          : `create table ${name} (message_id bigint unsigned not null primary key, terms mediumtext not null,
               fulltext key (terms)) engine=InnoDB default charset=ascii collate=ascii_bin`,
      )
    },
  }
}
