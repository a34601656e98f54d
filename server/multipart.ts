import type { IncomingMessage } from 'node:http'
import { type Readable, Writable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { loopTurns, type Worker } from '../db/loop-turns.ts'
import { BadRequestError } from '../domain/errors.ts'

/** A form of this API has some dozen fields. Each is two streams to the parser: a thousand of them are 50 ms. */
export const MAX_PARTS = 200

/** What the parser gets at once: it holds the event loop until it is through, whatever it finds. Some 80 of the smallest parts. */
const PIECE_BYTES = 4096

interface PartListener {
  /**
   * A part begins, whose bytes are to be read: they fail when the body breaks off. Text comes as bytes too, because the parser
   * would decode it by the charset that the part claims, and replace what is invalid.
   * @param fileName with the path that was sent; undefined for what is not a file
   */
  onPart(name: string | undefined, bytes: Readable, fileName: string | undefined): void
  /** All parts have come; the bytes of the last may still be on their way. */
  onEnd(): void
  /** Nothing more comes. */
  onFailure(reason: unknown): void
}

/**
 * The parts of a multipart body as they arrive, parsed in small pieces (SEC-LOOP-5): between two of them its sender
 * waits for a turn of the event loop, and nothing is parsed after `stop`.
 */
export class Multipart {
  readonly #request: IncomingMessage
  readonly #parser: InstanceType<typeof Busboy>
  readonly #worker: Worker
  readonly #pieces: Writable
  #hasStopped = false

  /** @throws {BadRequestError} when the content type names no boundary */
  constructor(request: IncomingMessage, worker: Worker, listener: PartListener) {
    this.#request = request
    this.#worker = worker
    this.#parser = newParser(request)
    const broken = (): void => listener.onFailure(brokenBody())
    this.#parser.on('file', (name: string | undefined, bytes: Readable, fileName: string | undefined) => {
      if (!this.#hasStopped) listener.onPart(name, bytes, fileName)
    })
    this.#parser.on('partsLimit', () =>
      listener.onFailure(new BadRequestError(`Malformed payload: the multipart body has more than ${MAX_PARTS} parts`)),
    )
    this.#parser.on('error', broken)
    this.#parser.on('finish', () => listener.onEnd())
    this.#pieces = new Writable({
      write: (chunk: Buffer, _encoding, done) => void this.#parse(chunk).then(() => done(), done),
      final: (done) => {
        if (!this.#hasStopped) this.#parser.end()
        done()
      },
    })
    this.#pieces.on('error', broken)
    request.on('aborted', broken)
    request.pipe(this.#pieces)
  }

  /** The rest of the body is dropped as it comes, so that a client that first sends all of it gets its answer. */
  stop(): void {
    this.#hasStopped = true
    this.#request.unpipe(this.#pieces)
    this.#request.resume()
  }

  async #parse(chunk: Buffer): Promise<void> {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const turn = loopTurns.begin(this.#worker)
      if (turn !== undefined) await turn
      if (this.#hasStopped) return
      const parsed = Promise.withResolvers<void>()
      this.#parser.write(chunk.subarray(start, start + PIECE_BYTES), () => parsed.resolve())
      // Otherwise it was parsed at once, and a file is written to disk in more than pieces.
      if (this.#parser.writableLength > 0) await parsed.promise
    }
  }
}

function newParser({ headers }: IncomingMessage): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: headers as { 'content-type': string },
      limits: { parts: MAX_PARTS },
      isPartAFile: () => true,
      preservePath: true, // otherwise `..` would be no name
    })
  } catch {
    throw new BadRequestError('Malformed payload: the content type names no multipart boundary')
  }
}

export function brokenBody(): BadRequestError {
  return new BadRequestError('Malformed payload: the multipart body is broken or incomplete')
}
