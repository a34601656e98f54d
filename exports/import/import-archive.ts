import { buffer } from 'node:stream/consumers'
import type { ArchivedTable } from '../../db/archive/archived-table.ts'
import type { Noun } from '../../db/archive/columns.ts'
import { PRIVATE_TABLES } from '../../db/archive/private-tables.ts'
import { FILES, ORGANIZATION_TABLES } from '../../db/archive/tables.ts'
import type { Tell } from '../../db/database-copy.ts'
import { type ImportedDatabase, TwiceError } from '../../db/imported-database.ts'
import { MIB, storageKeyOf } from '../../domain/attachments/attachment.ts'
import { IdSet } from '../../domain/id-set.ts'
import { FORMAT } from '../archive.ts'
import { ArchiveError, shown } from './archive-error.ts'
import { ImportContext, type Row } from './import-context.ts'
import { ImportedMessages } from './import-messages.ts'
import { organizationRow, type SettingChecks } from './import-organization.ts'
import { type FirstOwner, ImportedPeople, type NewCredentials } from './import-people.ts'
import { type Line, linesOf, objectIn, type PackedFile, unpacked } from './unpack.ts'

/** Where the import stores uploaded files. */
export interface FilesOfImport {
  /** Stores a file on disk. @returns its size in bytes */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number>
  has(key: string): Promise<boolean>
  remove(key: string): Promise<void>
}

export interface ImportOptions {
  readonly credentials: NewCredentials
  /** The organization's host, for stand-in addresses. */
  readonly host: string
  readonly checks: SettingChecks
  readonly files: FilesOfImport
  readonly tell: Tell
}

export interface Imported {
  /** Of the organization. */
  readonly uuid: string
  readonly people: number
  readonly messages: number
  readonly files: number
  /** Files whose contents are missing from the archive. */
  readonly lostFiles: number
  readonly owner: FirstOwner | undefined
}

/** A part of an archive; parts come one after the other. */
interface Stage {
  /** A file, or a folder of files. */
  readonly name: string
  take(file: PackedFile): Promise<void>
  /** The noun whose items are complete after this part. */
  readonly noun?: Noun
}

const LINES_TOLD = 50_000
/** Pictures of emoji have some kilobytes. */
const MAX_PICTURE_BYTES = 4 * MIB
const PICTURE = /^pictures\/(emoji\/(still\/)?|avatar\/|realm\/)[A-Za-z0-9_-]+\.[A-Za-z0-9]+$/

/**
 * Fills an empty database with the contents of an archive; the caller commits it or throws it away.
 *
 * @throws {ArchiveError} if the archive is wrong, with file and line; no stored files remain then
 */
export async function importArchive(
  path: string,
  database: ImportedDatabase,
  options: ImportOptions,
): Promise<Imported> {
  const started = new Import(database, options)
  try {
    return await started.run(path)
  } catch (err) {
    await started.removeFiles()
    if (err instanceof TwiceError) throw new ArchiveError(err.message)
    throw err
  }
}

class Import {
  readonly #database: ImportedDatabase
  readonly #options: ImportOptions
  readonly #context: ImportContext
  readonly #people: ImportedPeople
  readonly #messages: ImportedMessages
  readonly #stages: readonly Stage[]
  #stage = 0
  #parts = 0
  #lines = 0
  #organization: Row | undefined
  #messageCount = 0
  readonly #arrived = new IdSet()
  /** Files that this import stored, and no other database had before. */
  readonly #brought = new IdSet()
  #files = 0

  constructor(database: ImportedDatabase, options: ImportOptions) {
    this.#database = database
    this.#options = options
    this.#context = new ImportContext(database)
    this.#people = new ImportedPeople(this.#context, options.credentials, options.host)
    this.#messages = new ImportedMessages(this.#context)
    this.#stages = [
      { name: 'export.json', take: async (file) => this.#takeTitle(await objectIn(file)) },
      { name: 'organization.json', take: async (file) => this.#takeOrganization(await objectIn(file)) },
      this.#lineStage('users', (line) => this.#people.take(line), 'user'),
      ...ORGANIZATION_TABLES.map((table) => this.#tableStage(table)),
      this.#lineStage('messages', (line) => this.#takeMessage(line), 'message'),
      this.#lineStage('private/settings', (line) => this.#people.takeSettings(line, options.checks.people)),
      ...PRIVATE_TABLES.map((table) => this.#tableStage(table)),
      this.#tableStage(FILES),
      { name: 'pictures', take: (file) => this.#takePicture(file) },
      { name: 'uploads', take: (file) => this.#takeUpload(file) },
    ]
  }

  async run(path: string): Promise<Imported> {
    const isUpload = (name: string): boolean => name.startsWith('uploads/')
    for await (const file of unpacked(path, isUpload)) await this.#take(file)
    await this.#goTo(this.#stages.length)
    await this.#database.add('organization', this.#organization ?? {}, 'organization.json')
    await this.#database.flush()
    const lostFiles = await this.#database.removeFilesWithout((id) => this.#arrived.has(id))
    this.#options.tell('working out what follows')
    await this.#database.complete(this.#context.lastMessageId)
    const { count: people, owner } = this.#people
    const uuid = String(this.#organization?.uuid)
    return { uuid, people, messages: this.#messageCount, files: this.#files, lostFiles, owner }
  }

  /** Removes the stored files after a failure. Any it misses are collected later as orphans. */
  async removeFiles(): Promise<void> {
    try {
      for await (const { id, pathId } of this.#database.files()) {
        if (this.#brought.has(id)) await this.#options.files.remove(storageKeyOf(pathId))
      }
    } catch {
      // The caller gets the error of the database instead.
    }
  }

  async #take(file: PackedFile): Promise<void> {
    const [, folder = file.name, part] = /^(.*)\/(\d{6,9})\.jsonl$/.exec(file.name) ?? []
    const named = this.#stages.findIndex(({ name }) => name === folder || (part === undefined && isIn(file.name, name)))
    if (named === -1) throw new ArchiveError(`${shown(file.name)} is no file of an archive`)
    if (named < this.#stage)
      throw new ArchiveError(`${file.name} comes too late: files are in the order of docs/export.md`)
    await this.#goTo(named)
    const stage = this.#stages[named]
    if (part !== undefined) {
      this.#parts += 1
      if (Number(part) !== this.#parts) throw new ArchiveError(`${file.name} comes where part ${this.#parts} has to be`)
    } else if (stage && this.#parts > 0) throw new ArchiveError(`${shown(file.name)} is no file of an archive`)
    await stage?.take(file)
  }

  /** Ends the parts before `index`. @throws {ArchiveError} if a required part is missing */
  async #goTo(index: number): Promise<void> {
    while (this.#stage < index) {
      const { name, noun } = this.#stages[this.#stage] as Stage
      if (name === 'export.json' && this.#context.lastMessageId < 0) throw new ArchiveError(NO_TITLE)
      if (name === 'organization.json' && !this.#organization) throw new ArchiveError('organization.json is missing')
      if (noun) this.#context.complete(noun)
      await this.#database.flush()
      this.#stage += 1
      this.#parts = 0
      this.#lines = 0
    }
  }

  #lineStage(name: string, take: (line: Line) => Promise<void>, noun?: Noun): Stage {
    return {
      name,
      ...(noun && { noun }),
      take: async (file) => {
        if (this.#lines === 0) this.#options.tell(name)
        for await (const line of linesOf(file)) {
          await take(line)
          this.#lines += 1
          if (this.#lines % LINES_TOLD === 0) this.#options.tell(`${name}: ${this.#lines}`)
        }
      },
    }
  }

  #tableStage(table: ArchivedTable): Stage {
    const take = async (line: Line): Promise<void> => {
      const row = this.#context.row(line, table.columns)
      if (table.noun) this.#context.add(table.noun, Number(row.id), line.place)
      const whole = { ...row, ...table.derived?.(row) }
      await this.#database.add(table.table, whole, line.place, table.replaces)
    }
    return this.#lineStage(table.folder, take, table.noun)
  }

  #takeTitle({ value: { format, last_message_id: last } }: Line): void {
    if (typeof format !== 'number') throw new ArchiveError('export.json has no format: this is no archive of Parley')
    if (format !== FORMAT) {
      throw new ArchiveError(
        `The archive has format ${format}, and this release of Parley reads format ${FORMAT}${format > FORMAT ? ': a later one reads it' : ''}`,
      )
    }
    if (!Number.isSafeInteger(last) || Number(last) < 0) throw new ArchiveError('export.json: last_message_id is no id')
    this.#context.lastMessageId = Number(last)
  }

  #takeOrganization(line: Line): void {
    this.#organization = {
      ...organizationRow(this.#context, line, this.#options.checks),
      secret_check: this.#options.credentials.secrets.checkValue,
    }
    this.#people.newAccountSettings = String(this.#organization.new_account_settings)
  }

  async #takeMessage(line: Line): Promise<void> {
    await this.#messages.take(line)
    this.#messageCount += 1
  }

  async #takePicture({ name, size, bytes }: PackedFile): Promise<void> {
    const path = name.slice('pictures/'.length)
    if (size > MAX_PICTURE_BYTES) throw new ArchiveError(`${name} is too large: ${size} bytes`)
    await this.#database.add('picture', { path, bytes: await buffer(bytes) }, name)
  }

  async #takeUpload({ name, size, bytes }: PackedFile): Promise<void> {
    const pathId = name.slice('uploads/'.length)
    const file = await this.#database.file(pathId)
    if (!file) throw new ArchiveError(`attachments says nothing of ${shown(name)}`)
    if (size !== file.size) throw new ArchiveError(`${name} has ${size} bytes, and attachments says ${file.size}`)
    if (this.#arrived.has(file.id)) throw new ArchiveError(`${name} is there twice`)
    this.#arrived.add(file.id)
    const key = storageKeyOf(pathId)
    if (!(await this.#options.files.has(key))) this.#brought.add(file.id)
    await this.#options.files.put(key, bytes)
    this.#files += 1
    if (this.#files % 1000 === 0) this.#options.tell(`uploads: ${this.#files}`)
  }
}

const NO_TITLE = 'export.json does not come first: this is no archive of Parley'

function isIn(file: string, folder: string): boolean {
  return folder === 'uploads' ? file.startsWith('uploads/') : folder === 'pictures' && PICTURE.test(file)
}
