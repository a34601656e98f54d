import { Readable } from 'node:stream'
import type { JsonPieces } from '../domain/json-pieces.ts'

/** Number of bytes written before others get a turn. With a fast client, the system would accept everything at once. */
const WITHOUT_PAUSE_BYTES = 1024 * 1024

/** Sends a long answer. Sent parts leave memory, and others are served in between (SEC-LOOP-3). */
export class LongAnswer extends Readable {
  readonly bytes: number
  readonly #pieces: Iterator<Buffer>
  #sinceBytes = 0

  constructor(pieces: JsonPieces) {
    super()
    this.bytes = pieces.bytes
    this.#pieces = pieces.take()
  }

  override _read(): void {
    if (this.#sinceBytes < WITHOUT_PAUSE_BYTES) this.#pushNext()
    else {
      this.#sinceBytes = 0
      setImmediate(() => this.#pushNext())
    }
  }

  #pushNext(): void {
    const { value = null } = this.#pieces.next()
    this.#sinceBytes += value?.length ?? 0
    this.push(value)
  }
}
