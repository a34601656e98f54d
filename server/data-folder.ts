import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseLocation } from '../db/database.ts'
import { FileLock } from '../db/file-lock.ts'

const UNFINISHED = '.new'

/** Writes a file completely or not at all, even if the power fails. Mode 0600. */
export function writeWhole(path: string, content: string): void {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}${UNFINISHED}`
  writeFileSync(temporary, content, { mode: 0o600 })
  const file = openSync(temporary, 'r')
  fsyncSync(file)
  closeSync(file)
  renameSync(temporary, path)
}

/** The data folder is in use or unusable; the message says what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

/** Another process has locked it. */
export class DataFolderInUseError extends DataFolderError {}

const CREDENTIALS = { demo: 'demo-credentials.json', empty: 'owner-credentials.json' } as const
const UNCONFIRMED = /^(\w+-credentials\.json)\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

/** The credentials file that the first start wrote, regardless of the present settings. */
export function credentialsFileIn(dataFolder: string): string {
  const [demo, owner] = [join(dataFolder, CREDENTIALS.demo), join(dataFolder, CREDENTIALS.empty)]
  return existsSync(owner) ? owner : demo
}

/** @throws {DataFolderError} if the uploads of an organization that exists already are somewhere else */
export function requireUploads(folder: string): void {
  if (existsSync(join(folder, 'uploads'))) return
  throw new DataFolderError(
    `The uploads of this organization are not in ${folder}: set PARLEY_UPLOADS to the folder that its server has`,
  )
}

/**
 * Jobs remove all files that belong to no row of the database, so the folder must not be that of another organization.
 *
 * @param uuid of the organization; undefined if there is none yet
 * @throws {DataFolderError} if another one has used the folder
 */
export function requireOwnUploads(folder: string, uuid: string | undefined): void {
  const owner = contentOf(ownerFile(folder))
  if (owner === undefined || owner === uuid) return
  throw new DataFolderError(
    `${folder} has the uploads of another organization: set PARLEY_UPLOADS to another folder. If they are this organization’s now, remove ${ownerFile(folder)}`,
  )
}

/** Notes to which organization the folder of uploads belongs from now on. */
export function noteOwner(folder: string, uuid: string): void {
  if (contentOf(ownerFile(folder)) === undefined) writeWhole(ownerFile(folder), uuid)
}

function ownerFile(folder: string): string {
  return join(folder, 'organization')
}

/** Returns what the file says; undefined if there is none. */
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err
    return undefined
  }
}

/** Locks a SQLite file, which servers with different data folders might use. @throws {DataFolderError} */
function lockDatabase(database: DatabaseLocation): FileLock | undefined {
  if (database.kind !== 'sqlite') return undefined
  const file = existsSync(database.file) ? realpathSync(database.file) : database.file
  mkdirSync(dirname(file), { recursive: true })
  const lock = FileLock.take(`${file}.lock`)
  if (lock) return lock
  throw new DataFolderError(
    `The database file ${file} is in use by another Parley, with another data folder: stop that one`,
  )
}

/** The data folder and the SQLite file, locked by one server process while it runs. */
export class DataFolder {
  readonly path: string
  readonly #lock: FileLock
  readonly #databaseLock: FileLock | undefined

  /** @throws {DataFolderError} if another process has locked it, or it cannot be created or written */
  constructor(path: string, database: DatabaseLocation) {
    this.path = path
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 })
    } catch (err) {
      throw new DataFolderError(`The data folder ${path} cannot be made: ${(err as Error).message}`)
    }
    let lock: FileLock | undefined
    try {
      lock = FileLock.take(join(path, 'lock'))
    } catch (err) {
      throw new DataFolderError(`The data folder ${path} cannot be written: ${(err as Error).message}`)
    }
    if (!lock) {
      throw new DataFolderInUseError(
        `The data folder ${path} is in use by another Parley${this.#holder()}. Stop that one, or give this one a folder of its own with PARLEY_DATA.`,
      )
    }
    try {
      this.#databaseLock = lockDatabase(database)
    } catch (err) {
      lock.release()
      throw err
    }
    this.#lock = lock
    writeFileSync(join(path, 'pid'), String(process.pid))
    // Unfinished files of a killed process; they may contain keys.
    for (const name of readdirSync(path)) if (name.endsWith(UNFINISHED)) rmSync(join(path, name))
  }

  get secretFile(): string {
    return join(this.path, 'secret')
  }

  /** Returns the server's secret; undefined if there is none. */
  secret(): string | undefined {
    return contentOf(this.secretFile)
  }

  /** Creates a secret for this and later starts. */
  makeSecret(): string {
    const secret = randomBytes(48).toString('base64url')
    writeWhole(this.secretFile, secret)
    return secret
  }

  /** The version that clients have been told; undefined if none is recorded. */
  get toldVersion(): string | undefined {
    return contentOf(join(this.path, 'version'))
  }

  noteVersion(version: string): void {
    writeWhole(join(this.path, 'version'), version)
  }

  /** Path of the file to which the first start writes the credentials of the organization that it creates. */
  credentialsFileOf(organization: 'demo' | 'empty'): string {
    return join(this.path, CREDENTIALS[organization])
  }

  /** Same before the organization is committed: if the start is killed then, the keys in it are of no account. */
  unconfirmedCredentialsFile(organization: 'demo' | 'empty', uuid: string): string {
    return `${this.credentialsFileOf(organization)}.${uuid}`
  }

  /** Gives the credentials of this organization their name, and removes those of organizations that do not exist. */
  confirmCredentials(uuid: string): void {
    for (const name of readdirSync(this.path)) {
      const [, file, made] = UNCONFIRMED.exec(name) ?? []
      if (file === undefined) continue
      if (made === uuid) renameSync(join(this.path, name), join(this.path, file))
      else rmSync(join(this.path, name))
    }
  }

  /** The file that the first start wrote, regardless of the present settings. */
  get credentialsFile(): string {
    return credentialsFileIn(this.path)
  }

  release(): void {
    this.#databaseLock?.release()
    this.#lock.release()
  }

  #holder(): string {
    try {
      return ` (process ${readFileSync(join(this.path, 'pid'), 'utf8')})`
    } catch {
      return ''
    }
  }
}
