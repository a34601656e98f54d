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
      /** The processor time of the thread so far. */
      readonly processorMs: number
    }
  | {
      readonly kind: 'done'
      readonly htmls: readonly PieceHtml[]
      /** Processor time, without loading. */
      readonly ms: number
      /** What a library threw without the piece being at fault. */
      readonly errors: readonly unknown[]
    }
