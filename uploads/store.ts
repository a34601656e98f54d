import type { Readable } from 'node:stream'

/**
 * A file whose bytes have all arrived and are on disk, but which nobody can find yet. Its caller keeps or discards it: until then
 * no collection of this process takes it, however old it is.
 */
export interface ReceivedFile {
  /** 32 hexadecimal digits, 128 random bits. */
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** The first bytes, as many as tell the type of a file. */
  readonly head: Uint8Array
  /** Where a process beside this one finds it, until it is kept. */
  readonly path: string
  /**
   * Puts the file in its place and then runs `record`, which writes down that it exists: at no moment is there a
   * record without its file. When `record` fails the file stays, because the record may exist all the same (a commit
   * whose answer was lost); the next collection of orphans decides.
   */
  keep<T>(record: () => Promise<T>): Promise<T>
  /** All of it, before it is kept; for what is small. */
  read(): Promise<Uint8Array>
  /** Removes the file, wherever it is. */
  discard(): Promise<void>
}

/** A file to read from. */
export interface StoredFile {
  /** Bytes `first` to `last`, both included. Closes the file at its end, and when it is destroyed. */
  bytes(first: number, last: number): Readable
}

/** Keeps the bytes of uploaded files; everything else about them is in the database. */
export interface UploadStore {
  /** Takes in `bytes` and makes sure that they survive a power failure. When `bytes` fails nothing is left. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile>
  /** Undefined when there is none. */
  open(key: string): Promise<StoredFile | undefined>
  has(key: string): Promise<boolean>
  /** Where a process beside this one finds the file; undefined when there is none. */
  pathOf(key: string): Promise<string | undefined>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** Removes the file if its last byte arrived before `beforeMs` (UNIX time). @returns whether it did */
  removeOld(key: string, beforeMs: number): Promise<boolean>
  /**
   * Removes what never arrived completely and stopped arriving before `beforeMs`. Returns how many files.
   * @param signal leaves the rest for another time
   */
  removeUnfinished(beforeMs: number, signal?: AbortSignal): Promise<number>
  /** All files in their place but those that this process is keeping right now, in groups of one beginning of their keys. */
  groups(): AsyncIterable<{ readonly prefix: string; readonly keys: readonly string[] }>
}
