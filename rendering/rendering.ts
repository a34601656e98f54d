import { UNLIMITED } from '../domain/allowance.ts'
import type { Clock } from '../domain/clock.ts'
import type { RenderPieces } from '../domain/markdown/pieces.ts'
import { renderPiecesHere } from '../domain/markdown/tools.ts'
import { loopTurns } from '../event-loop/loop-turns.ts'
import { PieceRenderer } from './piece-renderer.ts'

/** Renders the texts of one account, in its turn and within its allowance. */
export interface AccountRendering {
  /**
   * Does work that blocks the event loop for milliseconds, up to its first wait.
   *
   * @throws errors of the allowance when it is used up
   */
  inTurn<T>(work: () => T): Promise<T>
  /** Renders pieces outside the event loop. Fails like `inTurn`. */
  readonly renderPieces: RenderPieces
}

/** Renders at once, in this thread, for the server's own texts. */
export const renderingHere: AccountRendering = { inTurn: async (work) => work(), renderPieces: renderPiecesHere }

/** Rendering for the whole server. */
export class Rendering {
  readonly #clock: Clock
  readonly #pieces: PieceRenderer

  /** @param onError is called with errors that no text should cause */
  constructor(clock: Clock, onError: (err: unknown) => void) {
    this.#clock = clock
    this.#pieces = new PieceRenderer(clock, onError)
  }

  of(account: number, allowance = UNLIMITED): AccountRendering {
    return {
      inTurn: async (work) => {
        await loopTurns.next(account)
        allowance.check()
        const start = this.#clock.monotonic()
        try {
          return work()
        } finally {
          allowance.spend(this.#clock.monotonic() - start)
        }
      },
      renderPieces: (pieces) => this.#pieces.render(account, pieces, allowance),
    }
  }

  /** Ends the thread at once. */
  stop(): Promise<void> {
    return this.#pieces.stop()
  }
}
