import type { Piece, PieceHtml } from '../domain/markdown/pieces.ts'

/** A request to the thread: the pieces of one message. */
export interface Order {
  readonly pieces: readonly Piece[]
  /** Processor time in milliseconds after which no further piece is started. */
  readonly beginMs: number
}

/** Reports of the thread about an order: first that the libraries are loaded and work begins, then the result. */
export type Report =
  | {
      readonly kind: 'begun'
      /** Processor time of the thread so far. */
      readonly processorMs: number
    }
  | {
      readonly kind: 'done'
      readonly htmls: readonly PieceHtml[]
      /** Processor time in milliseconds, without loading. */
      readonly ms: number
      /** Errors that a library threw although the piece was not at fault. */
      readonly errors: readonly unknown[]
    }
