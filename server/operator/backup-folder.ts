import { copyFile, mkdir, open, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DatabaseCopy, Tell } from '../../db/database-copy.ts'
import type { Config } from '../config.ts'
import { writeWhole } from '../data-folder.ts'
import { OperatorError } from './command.ts'

const MANIFEST = 'manifest.json'
const FORMAT = 1
/** Progress is reported every so many files. */
const FILES_TOLD = 1000

/** Description of a backup. It is written last: a folder without it is not a backup. */
interface Manifest {
  readonly format: typeof FORMAT
  /** ISO 8601. */
  readonly made_at: string
  readonly database: DatabaseCopy
  /** Number of uploaded files. */
  readonly files: number
  readonly bytes: number
  /** Whether the backup contains the secret. It does not if the secret came from PARLEY_SECRET. */
  readonly has_secret: boolean
}

/** @throws {OperatorError} for MariaDB, with what to do */
export function sqliteFileOf({ database }: Config): string {
  if (database.kind === 'sqlite') return database.file
  throw new OperatorError('This command is for SQLite: use mariadb-dump for MariaDB, as docs/deployment.md shows')
}

export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  writeWhole(join(folder, MANIFEST), `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`)
}

/** @throws {OperatorError} if the folder has no complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined)
  if (text === undefined) throw new OperatorError(`${folder} holds no whole backup: it has no ${MANIFEST}`)
  let manifest: Partial<Manifest> | null
  try {
    manifest = JSON.parse(text) as typeof manifest
  } catch {
    throw new OperatorError(`${join(folder, MANIFEST)} cannot be read`)
  }
  if (manifest?.format !== FORMAT)
    throw new OperatorError(`${folder} was made by another release: it has another format`)
  return manifest as Manifest
}

/** Creates the folder with access for its owner alone. @throws {OperatorError} if it is not empty */
export async function emptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new OperatorError(`${folder} is not empty`)
}

/** Copies all files below `from` to disk. @returns their number and bytes; 0 if the folder does not exist */
export async function copyFiles(from: string, to: string, tell: Tell): Promise<{ files: number; bytes: number }> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return []
    throw err
  })
  let files = 0
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const source = join(entry.parentPath, entry.name)
    const target = join(to, source.slice(from.length))
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await copyFile(source, target)
    const handle = await open(target, 'r+')
    await handle.sync()
    bytes += (await handle.stat()).size
    await handle.close()
    files += 1
    if (files % FILES_TOLD === 0) tell(`files: ${files}`)
  }
  return { files, bytes }
}

/** Size of a file in bytes; undefined if it does not exist. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}
