import type { Readable } from 'node:stream'
import type { Context } from 'koa'
import { MIB } from '../domain/attachments/attachment.ts'
import {
  ApiError,
  BadRequestError,
  BodyTooLargeError,
  FileTooLargeError,
  UnsupportedContentTypeError,
} from '../domain/errors.ts'
import type { Party } from '../event-loop/loop-turns.ts'
import type { FormFile } from '../handlers/handler.ts'
import type { ReceivedFile } from '../uploads/store.ts'
import type { Pair } from './decode.ts'
import { hasBody, textPair, URLENCODED } from './form.ts'
import { brokenBody, Multipart } from './multipart.ts'
import { MAX_FORM_BYTES } from './traffic/bodies.ts'
import { askForBody } from './traffic/unread-body.ts'

interface Reception {
  /** The sender. */
  readonly party: Party | undefined
  /** Maximum size of a file. */
  readonly maxMib: number
  /** Stores the bytes; leaves nothing behind if they fail. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile>
  /** Aborted if the file does not arrive in time. */
  readonly signal: AbortSignal
}

/** Content of a form. */
interface ReceivedForm extends FormFile {
  /** The parts that are not files. */
  readonly texts: readonly Pair[]
}

/**
 * Reads the file of a multipart form while it arrives, with only a few chunks in memory. If anything goes wrong, such
 * as a client that disconnects, nothing of the file is kept.
 */
export async function readFormFile(ctx: Context, reception: Reception): Promise<ReceivedForm> {
  if (!hasBody(ctx.req) || ctx.is(URLENCODED)) throw noFile()
  if (!ctx.is('multipart/form-data')) throw new UnsupportedContentTypeError(ctx.get('Content-Type').slice(0, 100))
  const { maxMib } = reception
  if (Number(ctx.get('Content-Length')) > maxMib * MIB + MAX_FORM_BYTES) throw new FileTooLargeError(maxMib)
  askForBody(ctx)
  return new FormReader(ctx, reception).result
}

interface Arriving {
  readonly name: string
  readonly bytes: Readable
  readonly file: Promise<ReceivedFile>
}

class FormReader {
  readonly result: Promise<ReceivedForm>
  readonly #resolve: (form: ReceivedForm) => void
  readonly #reject: (reason: unknown) => void
  readonly #parts: Multipart
  readonly #reception: Reception
  #arriving: Arriving | undefined
  readonly #texts: Promise<Pair>[] = []
  #textBytes = 0
  #isOver = false

  constructor({ req: request }: Context, reception: Reception) {
    const { promise, resolve, reject } = Promise.withResolvers<ReceivedForm>()
    this.result = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#reception = reception
    this.#parts = new Multipart(request, reception.party, {
      onPart: (name, bytes, fileName) => {
        // A form in which no file was chosen sends one without name and content.
        if (fileName === undefined || fileName === '') this.#takeText(name, bytes)
        else this.#take(fileName, bytes)
      },
      onEnd: () => this.#finish(),
      onFailure: (reason) => this.#fail(reason),
    })
    reception.signal.addEventListener('abort', () => this.#fail(reception.signal.reason))
  }

  #take(name: string, bytes: Readable): void {
    if (this.#arriving) {
      this.#fail(new BadRequestError('You may only upload one file at a time'))
      return
    }
    bytes.on('error', () => undefined) // the reader gets it
    const file = this.#reception.receive(limited(bytes, this.#reception.maxMib))
    file.catch((err: unknown) => this.#fail(err))
    this.#arriving = { name, bytes, file }
  }

  #takeText(name: string | undefined, bytes: Readable): void {
    const chunks: Buffer[] = []
    const { promise, resolve, reject } = Promise.withResolvers<Pair>()
    if (name !== undefined) this.#texts.push(promise)
    promise.catch((err: unknown) => this.#fail(err))
    bytes.on('error', () => reject(brokenBody()))
    bytes.on('data', (chunk: Buffer) => {
      this.#textBytes += chunk.length
      if (this.#textBytes > MAX_FORM_BYTES) reject(new BodyTooLargeError(MAX_FORM_BYTES))
      else if (name !== undefined) chunks.push(chunk)
    })
    bytes.on('end', () => {
      try {
        resolve(textPair(name ?? '', Buffer.concat(chunks)))
      } catch (err) {
        reject(err)
      }
    })
  }

  #finish(): void {
    if (!this.#arriving) {
      this.#fail(noFile())
      return
    }
    const { name, file } = this.#arriving
    Promise.all([file, ...this.#texts]).then(
      ([received, ...texts]) => {
        if (!this.#isOver) this.#resolve({ name, file: received, texts })
      },
      (err: unknown) => this.#fail(err),
    )
  }

  #fail(reason: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#parts.stop()
    const arriving = this.#arriving
    arriving?.bytes.destroy(reason instanceof Error ? reason : undefined)
    if (!arriving) this.#reject(reason)
    // If a file cannot be removed now, the collection of orphans removes it.
    else
      arriving.file
        .then((file) => file.discard())
        .then(
          () => this.#reject(reason),
          () => this.#reject(reason),
        )
  }
}

async function* limited(bytes: Readable, maxMib: number): AsyncIterable<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > maxMib * MIB) throw new FileTooLargeError(maxMib)
      yield chunk
    }
  } catch (err) {
    throw err instanceof ApiError ? err : brokenBody()
  }
}

function noFile(): BadRequestError {
  return new BadRequestError('You must specify a file to upload')
}
