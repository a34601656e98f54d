import type { Known } from './known.ts'

/** One method of a client library, called as in its documentation. */
export interface LibraryCall {
  /** As in the library's own language. */
  readonly name: string
  readonly args?: (known: Known) => readonly unknown[]
  /** Keyword arguments, if the language has them. */
  readonly named?: (known: Known) => Readonly<Record<string, unknown>>
  /** The calling account; default: the member's. */
  readonly as?: string
  /** A field that the answer must have. */
  readonly answers?: string
  /** The field with the id of what was created, for later calls. */
  readonly makes?: string
}
