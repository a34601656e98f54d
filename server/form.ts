import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Busboy } from '@fastify/busboy'
import type { Context, Middleware } from 'koa'
import bodyParser from 'koa-bodyparser'
import { BadRequestError, BodyTooLargeError, UnsupportedContentTypeError } from '../domain/errors.ts'
import { checkedPair, type Pair, parsePairs } from './decode.ts'

/** Forms are text: the longest message, escaped in the worst way, is a tenth of this. */
export const MAX_FORM_BYTES = 1024 * 1024
export const MAX_FIELDS = 1000

export const URLENCODED = 'application/x-www-form-urlencoded'

/**
 * Reads the text of an urlencoded body. As latin1, one character a byte, because decoding as UTF-8 would replace invalid
 * bytes without a word; parsePairs gets the bytes and refuses them.
 */
export function readFormText(): Middleware {
  // `encoding` is handed on to co-body, which its types do not say.
  const options: bodyParser.Options & { encoding: string } = {
    enableTypes: ['text'],
    extendTypes: { text: [URLENCODED] },
    encoding: 'latin1',
    textLimit: `${MAX_FORM_BYTES}b`,
    detectJSON: () => false,
    onerror: (err) => {
      if ((err as { status?: number }).status === 413) throw new BodyTooLargeError(MAX_FORM_BYTES)
      throw new BadRequestError('The request body cannot be read')
    },
  }
  const readText = bodyParser(options)
  return (ctx, next) => (hasBody(ctx.req) ? readText(ctx, next) : next())
}

/**
 * The pairs of the request's form, in either encoding; none without a body. Every method may have one.
 * @throws {UnsupportedContentTypeError} for a body that is no form, such as JSON
 */
export async function formPairs(ctx: Context): Promise<readonly Pair[]> {
  if (!hasBody(ctx.req)) return []
  if (ctx.is('multipart/form-data')) return multipartPairs(ctx.req)
  if (!ctx.is(URLENCODED)) throw new UnsupportedContentTypeError(ctx.get('Content-Type').slice(0, 100))
  return parsePairs(String(ctx.request.rawBody ?? ''))
}

/**
 * The method that is meant: a POST of a form may name another one in its field `method`, for clients that can send no
 * other (facts/errors.md). Such a field is then no parameter.
 */
export function meantMethod(ctx: Context): { method: string; isOverridden: boolean } {
  const { method } = ctx
  if (method !== 'POST' || !ctx.is(URLENCODED)) return { method, isOverridden: false }
  const [, meant] = /(?:^|&)method=(PATCH|PUT|DELETE)(?=&|$)/.exec(String(ctx.request.rawBody ?? '')) ?? []
  return { method: meant ?? method, isOverridden: meant !== undefined }
}

/** A client that always sends a content type may send no body with it. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * One known client POSTs multipart. A part with a file name is refused: the operations that take one read it themselves
 * (form-file.ts). Every part
 * is read as bytes: Busboy would decode text by the charset that the part claims, and replace what is invalid.
 */
function multipartPairs(request: IncomingMessage): Promise<Pair[]> {
  return new Promise((resolve, reject) => {
    const pairs: Pair[] = []
    let bytes = 0
    const fail = (err: Error): void => {
      request.unpipe()
      request.resume()
      reject(err)
    }
    const broken = (): void =>
      fail(new BadRequestError('Malformed payload: the multipart body is broken or incomplete'))
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        headers: request.headers as { 'content-type': string },
        limits: { parts: MAX_FIELDS },
        isPartAFile: () => true,
      })
    } catch {
      fail(new BadRequestError('Malformed payload: the content type names no multipart boundary'))
      return
    }
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_FORM_BYTES) fail(new BodyTooLargeError(MAX_FORM_BYTES))
    })
    parser.on('file', (name: string | undefined, part: NodeJS.ReadableStream, fileName: string | undefined) => {
      const chunks: Buffer[] = []
      part.on('error', broken)
      part.on('data', (chunk: Buffer) => chunks.push(chunk))
      part.on('end', () => {
        try {
          pairs.push(partPair(name, fileName, Buffer.concat(chunks)))
        } catch (err) {
          fail(err as Error)
        }
      })
    })
    parser.on('partsLimit', () => {
      fail(new BadRequestError(`Malformed payload: there are more than ${MAX_FIELDS} parameters`))
    })
    parser.on('error', broken)
    parser.on('finish', () => resolve(pairs))
    request.on('aborted', broken)
    request.pipe(parser)
  })
}

function partPair(name: string | undefined, fileName: string | undefined, value: Buffer): Pair {
  if (name === undefined) throw new BadRequestError('Malformed payload: a part of the multipart body has no name')
  if (fileName !== undefined) throw new BadRequestError(`${name} is a file, and this endpoint takes none`)
  if (!isUtf8(value)) throw new BadRequestError(`Malformed payload: ${name} is not UTF-8`)
  return checkedPair(name, value.toString('utf8'))
}
