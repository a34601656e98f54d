import type { Knex } from 'knex'

/** Definitions of tables for both databases. Frozen like the migrations, whose results must not change. */
export interface Tables {
  /** Type of a primary key that comes from the log's counter. */
  readonly bigPrimaryKey: string
  create(name: string, columns: (table: Knex.CreateTableBuilder) => void): Promise<void>
  /** Type of a text column that compares every character, including trailing spaces. */
  exactText(length: number): string
  /** Index of the rows that have a flag set, by ID: for flags that few rows have. */
  addFlagIndex(table: string, flag: string): Promise<void>
  /**
   * Creates an index of ASCII words with the message's ID as its key (SQLite: its rowid). The words contain only ASCII,
   * because each database folds, splits and drops other letters in its own way.
   */
  createFullText(name: string): Promise<void>
}

/**
 * MariaDB commits after every statement, so a killed migration leaves some of its work. Each step therefore handles
 * existing tables: a table of an unfinished migration is empty, and is created again.
 */
export function tablesOf(knex: Knex): Tables {
  const isSqlite = knex.client.config.client === 'better-sqlite3'
  return {
    // SQLite makes only a column of exactly the type `integer` an alias of the rowid, which saves an index.
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
    // MariaDB's other collations compare as if the shorter text were padded with spaces.
    exactText: (length) =>
      isSqlite ? `varchar(${length})` : `varchar(${length}) character set utf8mb4 collate utf8mb4_nopad_bin`,
    async addFlagIndex(table, flag) {
      // On SQLite a row without the flag costs nothing; MariaDB has no such index.
      const [columns, condition] = isSqlite ? ['id', `where ${flag} = 1`] : [`${flag}, id`, '']
      await knex.raw(`create index if not exists ${table}_${flag}_index on ${table} (${columns}) ${condition}`)
    },
    async createFullText(name) {
      await knex.schema.dropTableIfExists(name)
      // Contentless and without positions, because it only needs to say which messages contain a word.
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
