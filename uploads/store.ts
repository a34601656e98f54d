import type { Readable } from 'node:stream'

/**
 * A file whose bytes are all on disk, but which nobody can find yet. The caller keeps or discards it. Until then, no
 * collection of orphans in this process removes it, regardless of its age.
 */
export interface ReceivedFile {
  /** 32 hexadecimal digits, 128 random bits. */
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** The first bytes, enough to detect the type of the file. */
  readonly head: Uint8Array
  /** Path at which another process finds it until it is kept. */
  readonly path: string
  /**
   * Moves the file to its place and then runs `record`, which stores that it exists, so there is never a record without
   * its file. If `record` fails, the file stays, because the record may exist anyway (a commit whose answer was lost).
   * The next collection of orphans decides.
   */
  keep<T>(record: () => Promise<T>): Promise<T>
  /** Returns all of its bytes, before it is kept; for small files. */
  read(): Promise<Uint8Array>
  /** Removes the file, wherever it is. */
  discard(): Promise<void>
}

/** A file that can be read. */
export interface StoredFile {
  /** Bytes on disk: fewer than were stored if the disk has lost some. */
  readonly size: number
  /** Bytes `first` to `last`, both included. The file is closed at the end of the stream, or when that is destroyed. */
  bytes(first: number, last: number): Readable
  close(): Promise<void>
}

/** Stores the contents of uploaded files; everything else about them is in the database. */
export interface UploadStore {
  /** Receives `bytes` and makes sure they survive a power failure. If `bytes` fails, nothing remains. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile>
  /** Undefined if there is none. */
  open(key: string): Promise<StoredFile | undefined>
  has(key: string): Promise<boolean>
  /** Path at which another process finds the file; undefined if there is none. */
  pathOf(key: string): Promise<string | undefined>
  /** Removes the file. A missing file is not an error. */
  remove(key: string): Promise<void>
  /** Removes the file if its last byte arrived before `beforeMs` (UNIX time). @returns whether it did */
  removeOld(key: string, beforeMs: number): Promise<boolean>
  /**
   * Removes incomplete files that stopped arriving before `beforeMs`, and returns their number.
   *
   * @param signal stops early; the rest stays for another time
   */
  removeUnfinished(beforeMs: number, signal?: AbortSignal): Promise<number>
  /** All stored files except those that this process is keeping right now, grouped by the beginning of their keys. */
  groups(): AsyncIterable<{ readonly prefix: string; readonly keys: readonly string[] }>
}
