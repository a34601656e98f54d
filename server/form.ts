import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Context, Middleware } from 'koa'
import bodyParser from 'koa-bodyparser'
import { BadRequestError, BodyTooLargeError, UnsupportedContentTypeError } from '../domain/errors.ts'
import { checkedPair, type Pair, parsePairs } from './decode.ts'
import { brokenBody, Multipart } from './multipart.ts'
import { type ArrivingBody, MAX_ANONYMOUS_BYTES, MAX_FORM_BYTES } from './traffic/bodies.ts'
import { arriveInTurns } from './traffic/body-turns.ts'
import { askForBody } from './traffic/unread-body.ts'

export const URLENCODED = 'application/x-www-form-urlencoded'

/**
 * Reads the text of an urlencoded body as binary, one character a byte, because decoding as UTF-8 would silently
 * replace invalid bytes; parsePairs gets the bytes and refuses them. Under the name latin1, JavaScript would decode
 * them one by one.
 */
function textReader(maxBytes: number): Middleware {
  // `encoding` is passed on to co-body, which the types do not mention.
  const options: bodyParser.Options & { encoding: string } = {
    enableTypes: ['text'],
    extendTypes: { text: [URLENCODED] },
    encoding: 'binary',
    textLimit: `${maxBytes}b`,
    detectJSON: () => false,
    onerror: (err) => {
      if ((err as { status?: number }).status === 413) throw new BodyTooLargeError(maxBytes)
      throw new BadRequestError('The request body cannot be read')
    },
  }
  return bodyParser(options)
}

const readText = textReader(MAX_FORM_BYTES)
const readAnonymousText = textReader(MAX_ANONYMOUS_BYTES)
const nothingMore = async (): Promise<void> => undefined

/** `none` without a body; `other` for a body that is not a form, such as JSON. */
export type BodyKind = 'none' | 'urlencoded' | 'multipart' | 'other'

export function bodyKind(ctx: Context): BodyKind {
  if (!hasBody(ctx.req)) return 'none'
  if (ctx.is(URLENCODED)) return 'urlencoded'
  return ctx.is('multipart/form-data') ? 'multipart' : 'other'
}

/** Reads an urlencoded body for formPairs. @throws {BodyTooLargeError} and as ArrivingBody.form */
export async function readFormText(ctx: Context, body: ArrivingBody): Promise<void> {
  refuseTooLarge(ctx, body)
  askForBody(ctx)
  const read = body.maxBytes === MAX_FORM_BYTES ? readText : readAnonymousText
  await body.form(async () => {
    const reading = read(ctx, nothingMore)
    const stop = arriveInTurns(ctx.req, body.party)
    await reading.finally(stop)
  })
}

/**
 * Whether a chunked body without a content type is empty: some programs and proxies send that instead of no body. Waits
 * for its first byte or its end.
 */
export async function isEmpty(ctx: Context, body: ArrivingBody): Promise<boolean> {
  const { req } = ctx
  if (req.headers['transfer-encoding'] === undefined || req.headers['content-type'] !== undefined) return false
  askForBody(ctx)
  const first = () =>
    new Promise<boolean>((resolve) => {
      req.once('end', () => resolve(true))
      req.once('data', () => {
        req.pause()
        resolve(false)
      })
    })
  return body.form(first)
}

/**
 * Returns the pairs of the request's form, in either encoding. Every method may have one. An urlencoded one must have
 * been read already.
 *
 * @throws {UnsupportedContentTypeError} for a body that is not a form
 * @throws {BodyTooLargeError} and as ArrivingBody.form
 */
export async function formPairs(ctx: Context, kind: BodyKind, body: ArrivingBody): Promise<readonly Pair[]> {
  if (kind === 'urlencoded') return parsePairs(String(ctx.request.rawBody ?? ''))
  refuseTooLarge(ctx, body)
  if (kind !== 'multipart') throw new UnsupportedContentTypeError(ctx.get('Content-Type').slice(0, 100))
  askForBody(ctx)
  return body.form(() => multipartPairs(ctx.req, body))
}

/** Checks the length before a client with `Expect: 100-continue` is told to send. */
function refuseTooLarge(ctx: Context, { maxBytes }: ArrivingBody): void {
  if (Number(ctx.get('Content-Length')) > maxBytes) throw new BodyTooLargeError(maxBytes)
}

/** Some clients send a content type without a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads a multipart form, which one known client sends. A part with a file name is refused, because operations that
 * take files read them themselves (form-file.ts).
 */
function multipartPairs(request: IncomingMessage, { maxBytes, party }: ArrivingBody): Promise<Pair[]> {
  return new Promise((resolve, reject) => {
    const pairs: Pair[] = []
    let bytes = 0
    const fail = (reason: unknown): void => {
      parts.stop()
      reject(reason)
    }
    const parts = new Multipart(request, party, {
      onPart(name, part, fileName) {
        if (name === undefined) fail(new BadRequestError('Malformed payload: a part of the multipart body has no name'))
        else if (fileName !== undefined) fail(new BadRequestError(`${name} is a file, and this endpoint takes none`))
        else collect(part, (value) => pairs.push(textPair(name, value)), fail)
      },
      onEnd: () => resolve(pairs),
      onFailure: fail,
    })
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) fail(new BodyTooLargeError(maxBytes))
    })
  })
}

/** Passes on all bytes of a part once they have arrived. */
function collect(part: Readable, take: (value: Buffer) => void, fail: (reason: unknown) => void): void {
  const chunks: Buffer[] = []
  part.on('error', () => fail(brokenBody()))
  part.on('data', (chunk: Buffer) => chunks.push(chunk))
  part.on('end', () => {
    try {
      take(Buffer.concat(chunks))
    } catch (err) {
      fail(err)
    }
  })
}

/** Returns a part of a multipart body that is not a file. @throws {BadRequestError} if it is not text */
export function textPair(name: string, value: Buffer): Pair {
  if (!isUtf8(value)) throw new BadRequestError(`Malformed payload: ${name} is not UTF-8`)
  return checkedPair(name, value.toString('utf8'))
}
