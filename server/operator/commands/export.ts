import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Tell } from '../../../db/database-copy.ts'
import { readSnapshot } from '../../../db/read-snapshot.ts'
import { MIB } from '../../../domain/attachments/attachment.ts'
import { EXPORT_TYPES, type ExportType } from '../../../domain/exports.ts'
import { archiveEntries } from '../../../exports/archive.ts'
import { type Entry, packed } from '../../../exports/pack.ts'
import { Scope } from '../../../exports/scope.ts'
import { DiskStore, syncFolder } from '../../../uploads/disk.ts'
import { type Given, OperatorError, type PlaceCommand, word } from '../command.ts'

/** Progress is reported every so many bytes. */
const BYTES_TOLD = 64 * MIB

/**
 * Runs in a separate process, so that the server goes on, and reads the data of one moment. The archive gets its name
 * when it is complete on disk.
 */
export const exportOrganization: PlaceCommand = {
  kind: 'place',
  name: 'export',
  summary: 'Write the organization’s data into an archive (docs/export.md), while the server runs or not',
  words: [{ name: 'file', meaning: 'what the archive is called: a file that is not there yet, such as export.tar.gz' }],
  options: [
    {
      name: 'type',
      value: 'TYPE',
      meaning: 'public (default), full_with_consent or full_without_consent: whose private data go along',
    },
  ],
  async run({ config, tell, holdFiles }, given) {
    const file = word(given, 'file')
    const type = typeOf(given)
    if (existsSync(file)) throw new OperatorError(`${file} is there already`)
    await holdFiles()
    // Another command may be writing the same archive.
    const unfinished = `${file}.${randomBytes(4).toString('hex')}.unfinished`
    try {
      const bytes = await readSnapshot(config.database, config.clock, async (read) => {
        const uploads = new DiskStore(join(config.filesFolder, 'uploads'))
        const title = { type, requestedMs: config.clock.now() }
        const entries = told(archiveEntries({ read, uploads }, await Scope.of(read, type), title), tell)
        return await written(unfinished, packed(entries, title.requestedMs, new AbortController().signal))
      })
      await rename(unfinished, file)
      await syncFolder(dirname(file))
      return {
        data: { file, bytes },
        lines: [`${file} is the whole archive: ${bytes} bytes. No password or key is in it`],
      }
    } catch (err) {
      await rm(unfinished, { force: true })
      throw err
    }
  },
}

/** @throws {OperatorError} */
function typeOf({ type: text = 'public' }: Given): ExportType {
  const type = EXPORT_TYPES.find((one) => one === text)
  if (!type) throw new OperatorError(`There is no type ${text}: ${EXPORT_TYPES.join(', ')}`)
  return type
}

/** Returns the number of bytes on disk. */
async function written(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of bytes) await file.writeFile(chunk) // appends
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** Passes the entries through and reports progress. */
async function* told(entries: AsyncIterable<Entry>, tell: Tell): AsyncIterable<Entry> {
  let [folder, bytes, last] = ['', 0, 0]
  for await (const entry of entries) {
    const [first = ''] = entry.name.split('/')
    if (first !== folder || bytes - last >= BYTES_TOLD) {
      tell(first === folder ? `${first}: ${Math.floor(bytes / MIB)} MiB` : first)
      if (first !== folder) bytes = 0
      ;[folder, last] = [first, bytes]
    }
    bytes += entry.size
    yield entry
  }
}
