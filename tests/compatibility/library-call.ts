import type { Known } from './client.ts'

/** One method of a client library, called as its documentation shows. */
export interface LibraryCall {
  /** As in the library's own language. */
  readonly name: string
  readonly args: (known: Known) => readonly unknown[]
  /** Keyword arguments, where the language has them. */
  readonly named?: (known: Known) => Readonly<Record<string, unknown>>
  /** Whose account; absent: the member's. */
  readonly as?: string
  /** A field that the answer must have. */
  readonly answers?: string
  /** The field with the ID of what was made, for later calls. */
  readonly makes?: string
}
