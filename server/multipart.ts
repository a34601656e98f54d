import type { IncomingMessage } from 'node:http'
import { type Readable, Writable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { BadRequestError } from '../domain/errors.ts'
import { loopTurns, type Party } from '../event-loop/loop-turns.ts'

/**
 * Maximum number of parts. Forms of this API have some dozen fields. For the parser each part is two streams, and a
 * thousand parts take 50 ms.
 */
export const MAX_PARTS = 200

/**
 * Bytes given to the parser at once: it blocks the event loop until it has parsed them. Some 80 of the smallest parts.
 */
const PIECE_BYTES = 4096

interface PartListener {
  /**
   * Called when a part begins. Its bytes must be read; reading fails if the body breaks off. Text comes as bytes too,
   * because the parser would decode it by the charset that the part claims, and replace invalid bytes.
   *
   * @param fileName with the path that was sent; undefined for a part that is not a file
   */
  onPart(name: string | undefined, bytes: Readable, fileName: string | undefined): void
  /** Called after all parts have begun; bytes of the last one may still be on their way. */
  onEnd(): void
  /** Called when the body has failed. */
  onFailure(reason: unknown): void
}

/**
 * Parses a multipart body while it arrives, in small pieces (SEC-LOOP-5): between two pieces the sender waits for a
 * turn of the event loop, and nothing is parsed after `stop`.
 */
export class Multipart {
  readonly #request: IncomingMessage
  readonly #parser: InstanceType<typeof Busboy>
  readonly #party: Party | undefined
  readonly #pieces: Writable
  #hasStopped = false

  /** @throws {BadRequestError} if the content type has no boundary */
  constructor(request: IncomingMessage, party: Party | undefined, listener: PartListener) {
    this.#request = request
    this.#party = party
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

  /** Drops the rest of the body as it arrives, so that a client that sends all of it first gets its answer. */
  stop(): void {
    this.#hasStopped = true
    this.#request.unpipe(this.#pieces)
    this.#request.resume()
  }

  async #parse(chunk: Buffer): Promise<void> {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const turn = loopTurns.begin(this.#party)
      if (turn !== undefined) await turn
      if (this.#hasStopped) return
      const parsed = Promise.withResolvers<void>()
      this.#parser.write(chunk.subarray(start, start + PIECE_BYTES), () => parsed.resolve())
      // Otherwise everything would be parsed at once, and a file written to disk in large pieces.
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
      preservePath: true, // otherwise `..` would not be a name
    })
  } catch {
    throw new BadRequestError('Malformed payload: the content type names no multipart boundary')
  }
}

export function brokenBody(): BadRequestError {
  return new BadRequestError('Malformed payload: the multipart body is broken or incomplete')
}
