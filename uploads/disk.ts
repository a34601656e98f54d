import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HEAD_BYTES } from './content-type.ts'
import type { ReceivedFile, StoredFile, UploadStore } from './store.ts'

const KEY = /^[0-9a-f]{32}$/
const PREFIX_LENGTH = 2
/** A hold ends if its process has not renewed it for this long. */
const HOLD_MS = 10 * 60 * 1000

/**
 * Files in a folder: `files/ab/ab…` by key, `unfinished/` for uploads in progress, and `held/` with a file for each
 * backup that needs all files to stay. No name from a client ever becomes part of a path. Several processes may share
 * the folder: none touches a file that another may be working on.
 */
export class DiskStore implements UploadStore {
  readonly #files: string
  readonly #unfinished: string
  readonly #held: string
  /** Files that this process receives or keeps until their record is committed: they never count as old. */
  readonly #inUse = new Set<string>()

  constructor(folder: string) {
    this.#files = join(folder, 'files')
    this.#unfinished = join(folder, 'unfinished')
    this.#held = join(folder, 'held')
    mkdirSync(this.#files, { recursive: true, mode: 0o700 })
    mkdirSync(this.#unfinished, { recursive: true, mode: 0o700 })
    mkdirSync(this.#held, { recursive: true, mode: 0o700 })
  }

  receive(bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile> {
    return this.#receive(randomBytes(16).toString('hex'), bytes, 'wx')
  }

  /** Stores a file under a key that it already had elsewhere. @returns its size in bytes */
  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    if (!KEY.test(key)) throw new RangeError('a key has 32 hexadecimal digits')
    // Overwrites what a killed attempt left unfinished.
    const file = await this.#receive(key, bytes, 'w')
    return file.keep(() => Promise.resolve(file.size))
  }

  async #receive(key: string, bytes: AsyncIterable<Uint8Array>, flag: 'w' | 'wx'): Promise<ReceivedFile> {
    const path = join(this.#unfinished, key)
    const handle = await open(path, flag, 0o600)
    this.#inUse.add(key)
    try {
      const written = await writeAll(handle, bytes)
      await handle.sync()
      return {
        key,
        path,
        ...written,
        keep: (record) => this.#keep(key, record),
        read: () => readFile(path),
        discard: async () => {
          await rm(path, { force: true })
          await this.remove(key)
          this.#inUse.delete(key)
        },
      }
    } catch (err) {
      await rm(path, { force: true })
      this.#inUse.delete(key)
      throw err
    } finally {
      await handle.close()
    }
  }

  async open(key: string): Promise<StoredFile | undefined> {
    if (!KEY.test(key)) return undefined
    let handle: FileHandle
    try {
      handle = await open(this.#pathOf(key), 'r')
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw err
    }
    return {
      size: (await handle.stat()).size,
      // Of an empty file the last byte comes before the first, which Node refuses.
      bytes: (first, last) => handle.createReadStream({ start: first, end: Math.max(first, last) }),
      close: () => handle.close(),
    }
  }

  async has(key: string): Promise<boolean> {
    return KEY.test(key) && (await exists(this.#pathOf(key)))
  }

  async pathOf(key: string): Promise<string | undefined> {
    return (await this.has(key)) ? this.#pathOf(key) : undefined
  }

  async remove(key: string): Promise<void> {
    if (!(await this.#isHeld())) await rm(this.#pathOf(key), { force: true })
  }

  async removeOld(key: string, beforeMs: number): Promise<boolean> {
    return !(await this.#isHeld()) && (await removeOld(this.#pathOf(key), beforeMs))
  }

  /**
   * Keeps every file in place while it is copied, even if other processes would remove it, until the returned function
   * is called or some minutes after this process has died. Files that were to be removed meanwhile are collected later,
   * like other orphans.
   */
  async holdFiles(): Promise<() => Promise<void>> {
    const file = join(this.#held, randomBytes(16).toString('hex'))
    const hold = (): Promise<void> => writeFile(file, '')
    await hold()
    const again = setInterval(() => void hold().catch(() => undefined), HOLD_MS / 10).unref()
    return async () => {
      clearInterval(again)
      await rm(file, { force: true })
    }
  }

  async #isHeld(): Promise<boolean> {
    for (const name of await readdir(this.#held)) {
      const file = join(this.#held, name)
      if (!(await removeOld(file, Date.now() - HOLD_MS)) && (await exists(file))) return true
    }
    return false
  }

  async removeUnfinished(beforeMs: number, signal?: AbortSignal): Promise<number> {
    let removed = 0
    for await (const { name } of await opendir(this.#unfinished)) {
      if (signal?.aborted) break
      if (!this.#inUse.has(name) && (await removeOld(join(this.#unfinished, name), beforeMs))) removed += 1
    }
    return removed
  }

  async *groups(): AsyncIterable<{ prefix: string; keys: string[] }> {
    for (const prefix of (await readdir(this.#files)).toSorted()) {
      const keys = await readdir(join(this.#files, prefix))
      yield { prefix, keys: keys.filter((key) => KEY.test(key) && !this.#inUse.has(key)) }
    }
  }

  async #keep<T>(key: string, record: () => Promise<T>): Promise<T> {
    try {
      const folder = join(this.#files, key.slice(0, PREFIX_LENGTH))
      const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined
      await rename(join(this.#unfinished, key), this.#pathOf(key))
      await syncFolder(folder)
      if (isNew) await syncFolder(this.#files)
      return await record()
    } finally {
      this.#inUse.delete(key)
    }
  }

  #pathOf(key: string): string {
    return join(this.#files, key.slice(0, PREFIX_LENGTH), key)
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw err
  }
}

/** Removes a file that has not been written to since `beforeMs`. @returns whether it did */
async function removeOld(path: string, beforeMs: number): Promise<boolean> {
  try {
    if ((await stat(path)).mtimeMs >= beforeMs) return false
  } catch (err) {
    // By now the file is in its place, or another process has removed it.
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw err
  }
  await rm(path, { force: true })
  return true
}

async function writeAll(
  handle: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Pick<ReceivedFile, 'size' | 'head'>> {
  const head: Uint8Array[] = []
  let headBytes = 0
  let size = 0
  for await (const chunk of bytes) {
    if (headBytes < HEAD_BYTES) {
      const part = Uint8Array.from(chunk.subarray(0, HEAD_BYTES - headBytes))
      head.push(part)
      headBytes += part.length
    }
    size += chunk.length
    await handle.writeFile(chunk) // appended
  }
  return { size, head: Buffer.concat(head) }
}

/** A new name survives a power failure only once its folder is on disk too. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
