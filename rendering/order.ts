import type { Piece, PieceHtml } from '../domain/markdown/pieces.ts'

/** What the thread is asked for: the pieces of one message. */
export interface Order {
  readonly pieces: readonly Piece[]
  /** Milliseconds of the processor's time after which no further piece is begun. */
  readonly beginMs: number
}

/** What the thread says of an order: that the libraries are loaded and the work begins, and then what came of it. */
export type Report =
  | {
      readonly kind: 'begun'
      /** What the thread has had of the processor until now. */
      readonly processorMs: number
    }
  | {
      readonly kind: 'done'
      readonly htmls: readonly PieceHtml[]
      /** Of the processor's time, without loading. */
      readonly ms: number
      /** What a library threw that is no fault of the piece. */
      readonly errors: readonly unknown[]
    }
