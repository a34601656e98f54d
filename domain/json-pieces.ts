/** Characters in a piece of UTF-8: as many as a connection takes at once. */
const PIECE_CHARACTERS = 64 * 1024

/** JSON; long JSON as UTF-8 in pieces, because joining and sending one text of tens of megabytes takes 100 ms. */
export class JsonPieces {
  readonly #pieces: Buffer[] = []
  #text = ''
  #bytes = 0

  add(json: string): void {
    this.#text += json
    if (this.#text.length >= PIECE_CHARACTERS) this.#encode()
  }

  /** Moves everything out of the other one to the end of this. */
  append(other: JsonPieces): void {
    this.#encode()
    for (const piece of other.take()) {
      this.#pieces.push(piece)
      this.#bytes += piece.length
    }
  }

  /** Everything that was added as one text, where it is short enough for that. */
  get short(): string | undefined {
    return this.#pieces.length === 0 ? this.#text : undefined
  }

  get bytes(): number {
    this.#encode()
    return this.#bytes
  }

  /** Everything that was added; a piece that was taken is let go. */
  *take(): Generator<Buffer> {
    this.#encode()
    const pieces = this.#pieces.splice(0).reverse()
    for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
      this.#bytes -= piece.length
      yield piece
    }
  }

  #encode(): void {
    if (this.#text === '') return
    const piece = Buffer.from(this.#text)
    this.#text = ''
    this.#pieces.push(piece)
    this.#bytes += piece.length
  }
}
