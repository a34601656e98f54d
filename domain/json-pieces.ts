/** Number of characters in a piece of UTF-8: as many as a connection accepts at once. */
const PIECE_CHARACTERS = 64 * 1024

/**
 * JSON as text. Long JSON is UTF-8 in pieces, because joining and sending one text of tens of megabytes takes 100 ms.
 */
export class JsonPieces {
  readonly #pieces: Buffer[] = []
  #text: string
  #bytes = 0

  /** @param text finished JSON, which stays one text whatever its length */
  constructor(text = '') {
    this.#text = text
  }

  /** @param json UTF-8 is not copied, so it must not change any more */
  add(json: string | Buffer): void {
    if (typeof json === 'string') {
      this.#text += json
      if (this.#text.length >= PIECE_CHARACTERS) this.#encode()
      return
    }
    this.#encode()
    this.#pieces.push(json)
    this.#bytes += json.length
  }

  /** Moves everything from another instance to the end of this one. */
  append(other: JsonPieces): void {
    if (other.short !== undefined) {
      this.add(other.#text)
      other.#text = ''
      return
    }
    for (const piece of other.take()) this.add(piece)
  }

  /** Returns everything as one text, if it is short enough. */
  get short(): string | undefined {
    return this.#pieces.length === 0 ? this.#text : undefined
  }

  get bytes(): number {
    this.#encode()
    return this.#bytes
  }

  /** Yields everything, and releases each piece once it is taken. */
  *take(): Generator<Buffer> {
    this.#encode()
    const pieces = this.#pieces.splice(0).reverse()
    for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
      this.#bytes -= piece.length
      yield piece
    }
  }

  /** Returns everything in a form that several answers can contain. */
  encoded(): EncodedJson {
    return new EncodedJson(this.short === undefined ? [...this.take()] : [this.short])
  }

  #encode(): void {
    if (this.#text === '') return
    const piece = Buffer.from(this.#text)
    this.#text = ''
    this.#pieces.push(piece)
    this.#bytes += piece.length
  }
}

/**
 * A value as JSON in pieces that answers share. Handlers return it instead of the value, as a field of their answers.
 */
export class EncodedJson {
  readonly pieces: readonly (string | Buffer)[]

  constructor(pieces: readonly (string | Buffer)[]) {
    this.pieces = pieces
  }

  /** Same object, typed as the `Value` that is answered. */
  as<Value>(): Value {
    return this as unknown as Value
  }

  /** For `JSON.stringify`. */
  toJSON(): unknown {
    return JSON.parse(this.pieces.map(String).join(''))
  }
}
