import type { Allowance } from '../domain/allowance.ts'
import type { Clock } from '../domain/clock.ts'
import type { RenderPieces } from '../domain/markdown/pieces.ts'
import { renderPiecesHere } from '../domain/markdown/tools.ts'
import { PieceRenderer } from './piece-renderer.ts'
import { Turns } from './turns.ts'

/** How the texts of one account are rendered: in its turn, and at its cost. */
export interface AccountRendering {
  /**
   * Does what holds the event loop for milliseconds, until it first waits.
   * @throws what the allowance throws when nothing is left of it
   */
  inTurn<T>(work: () => T): Promise<T>
  /** Outside of the event loop. Fails like `inTurn`. */
  readonly renderPieces: RenderPieces
}

/** At once, in this thread: for texts of our own. */
export const renderingHere: AccountRendering = { inTurn: async (work) => work(), renderPieces: renderPiecesHere }

/** All rendering of a server. */
export class Rendering {
  readonly #clock: Clock
  readonly #turns = new Turns()
  readonly #pieces: PieceRenderer

  /** @param onError told of what no text may cause */
  constructor(clock: Clock, onError: (err: unknown) => void) {
    this.#clock = clock
    this.#pieces = new PieceRenderer(clock, onError)
  }

  /** @param allowance absent where nothing limits it */
  of(account: number, allowance?: Allowance): AccountRendering {
    return {
      inTurn: async (work) => {
        await this.#turns.next(account)
        allowance?.check()
        const start = this.#clock.monotonic()
        try {
          return work()
        } finally {
          allowance?.spend(this.#clock.monotonic() - start)
        }
      },
      renderPieces: (pieces) => this.#pieces.render(account, pieces, allowance),
    }
  }

  /** Ends the thread, whatever it does. */
  stop(): Promise<void> {
    return this.#pieces.stop()
  }
}
