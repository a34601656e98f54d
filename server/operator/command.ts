import type { Database } from '../../db/database.ts'
import type { Tell } from '../../db/database-copy.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Site } from '../../domain/organization/server-settings.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Config } from '../config.ts'
import type { DataFolder } from '../data-folder.ts'

/** A command that cannot be carried out; the message says why and what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** Access for commands about rows, in the process that has the database. */
export interface RowsOfServer {
  readonly db: Database
  readonly secrets: Secrets
  readonly clock: Clock
  readonly site: Site
}

/** Access for commands about folders and databases, in the process of the command. */
export interface Place {
  readonly config: Config
  readonly tell: Tell
  /** Keeps every uploaded file in its place until the command ends, even if servers delete it. */
  holdFiles(): Promise<void>
  /** Ensures that no server runs or starts until the command ends. */
  holdServer(): Promise<DataFolder>
}

interface Word {
  readonly name: string
  readonly meaning: string
}

interface Option extends Word {
  /** Placeholder of the value in the help. */
  readonly value: string
}

/** Values of arguments and options by name; absent if left out. */
export type Given = Readonly<Record<string, string | undefined>>

/** Result of a command. */
export interface Outcome {
  /** For programs (`--json`), with the names of the API. */
  readonly data: object
  /** For people. */
  readonly lines: readonly string[]
}

interface Described {
  readonly name: string
  /** One sentence without a full stop. */
  readonly summary: string
  /** All of them are required. */
  readonly words: readonly Word[]
  readonly options?: readonly Option[]
}

/** Reads or writes rows: in the server's process if one runs, so that everybody is told at once. */
export interface RowsCommand extends Described {
  readonly kind: 'rows'
  /** @throws {OperatorError} */
  run(rows: RowsOfServer, given: Given): Promise<Outcome>
}

/** Works on the data while a server runs, or without one. */
export interface PlaceCommand extends Described {
  readonly kind: 'place'
  /** Creates the database; all other commands need an existing one. */
  readonly makesDatabase?: true
  /** @throws {OperatorError} */
  run(place: Place, given: Given): Promise<Outcome>
}

export type Command = RowsCommand | PlaceCommand

/** Returns an argument that is declared as required. */
export function word(given: Given, name: string): string {
  const value = given[name]
  if (value === undefined || value.trim() === '') throw new OperatorError(`${name.toUpperCase()} is missing`)
  return value.trim()
}
