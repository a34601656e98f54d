import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'

/** Folders of the copies in the data folder, under names that nothing else there has. */
const START = 'testing'
const SNAPSHOT = 'testing-snapshot'
const UNFINISHED = '-unfinished'
/** A part of the state: how far the clock is ahead. */
const CLOCK = 'testing-clock'
/** Files that belong to a process, and files of SQLite that are merged when nobody has the database open. */
const PASSING = [
  START,
  SNAPSHOT,
  `${SNAPSHOT}${UNFINISHED}`,
  'lock',
  'parley.sqlite.lock',
  'pid',
  'operator.json',
  'parley.sqlite-wal',
  'parley.sqlite-shm',
]
/** Folders beside uploaded files whose content comes and goes while a server runs. */
const UNSTABLE = ['unfinished', 'held']

/** @returns the folder of the copy made at the start */
export function startOf(dataFolder: string): string {
  return join(dataFolder, START)
}

/** @returns the folder of the copy that snapshot() makes */
export function snapshotOf(dataFolder: string): string {
  return join(dataFolder, SNAPSHOT)
}

/** @returns the folder in which a copy is made, so that a copy that fails replaces nothing */
export function unfinishedOf(copy: string): string {
  return `${copy}${UNFINISHED}`
}

/** Makes the folder, without what was in it. */
export async function freshFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
}

/** Contents of the files of a folder, by relative path. */
export type Contents = ReadonlyMap<string, Buffer>

export async function contentsOf(folder: string): Promise<Contents> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return new Map(await Promise.all(files.map(async (file) => [relative(folder, file), await readFile(file)] as const)))
}

export async function writeContents(folder: string, contents: Contents): Promise<void> {
  for (const [path, bytes] of contents) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, bytes, { mode: 0o600 })
  }
}

/** Stores the offset of the clock for a process that goes on after this one was killed, and for copies. */
export function keepClock(dataFolder: string, aheadMs: number): void {
  writeFileSync(join(dataFolder, CLOCK), JSON.stringify({ aheadMs }))
}

export function keptClock(dataFolder: string): number {
  const file = join(dataFolder, CLOCK)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).aheadMs : 0
}

/** Copies what a server needs to continue where another stopped. Leave out a database that a server has open. */
export async function copyState(from: string, to: string, leaveOut: readonly string[] = []): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  const filter = (source: string): boolean => !UNSTABLE.includes(basename(source))
  await Promise.all(
    (await lasting(from, leaveOut)).map((name) => cp(join(from, name), join(to, name), { recursive: true, filter })),
  )
}

/** Removes the same files. */
export async function clearState(folder: string): Promise<void> {
  const names = [...(await lasting(folder, [])), 'parley.sqlite-wal', 'parley.sqlite-shm']
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

async function lasting(folder: string, leaveOut: readonly string[]): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !PASSING.includes(name) && !leaveOut.includes(name))
}
