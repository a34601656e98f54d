import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { isShownInPlace } from '../domain/attachments/attachment.ts'
import { contentDisposition } from '../domain/attachments/file-names.ts'
import { RangeNotSatisfiableError, UnknownFileError } from '../domain/errors.ts'
import type { StoredFileAnswer } from '../handlers/handler.ts'
import { stateOf } from './request-state.ts'

/** Range of bytes in a file, both ends included. */
interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * An uploaded file that is opened as a page has no origin, runs nothing and loads nothing. A film may load itself,
 * because browsers play it that way.
 */
const POLICY = "sandbox; default-src 'none'; img-src 'self'; media-src 'self'"

/** Sends a stored file, whole or in part, or the answer that it has not changed. The caller has checked access. */
export async function respondFile(ctx: Context, { file: served, store }: StoredFileAnswer): Promise<void> {
  const { key, contentType, fileName, size, createdAt } = served
  const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`
  const lastModified = new Date(createdAt * 1000).toUTCString()
  const asksForPart = ctx.method === 'GET' && ['', etag, lastModified].includes(ctx.get('If-Range'))
  const range = asksForPart ? requestedRange(ctx.get('Range'), size) : undefined
  const isChanged = !isKnown(ctx, etag, createdAt)
  // Before the headers, which a refusal must not have.
  const file = isChanged ? await store.open(key) : undefined
  if (isChanged && (!file || file.size < size)) {
    await file?.close()
    stateOf(ctx).fault(
      new Error(`file ${served.id} has ${file?.size ?? 0} of ${size} bytes`),
      'stored file is incomplete',
    )
    throw new UnknownFileError()
  }
  ctx.set({
    'Content-Disposition': contentDisposition(isShownInPlace(contentType) ? 'inline' : 'attachment', fileName),
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    // Browsers must ask again each time, because the right to read the file can change at any moment.
    'Cache-Control': 'private, no-cache',
    'Last-Modified': lastModified,
    ETag: etag,
  })
  ctx.status = file ? 200 : 304
  if (!file) return
  ctx.set('Content-Type', contentType)
  const { first, last } = range ?? { first: 0, last: size - 1 }
  if (range) {
    ctx.status = 206
    ctx.set('Content-Range', `bytes ${first}-${last}/${size}`)
  }
  if (ctx.method === 'HEAD' || size === 0) {
    await file.close()
    ctx.body = ''
  } else ctx.body = file.bytes(first, last)
  ctx.length = last - first + 1
}

/** Whether the client has the file already: by its ETag if it sends one, otherwise by its date. */
function isKnown(ctx: Context, etag: string, createdAt: number): boolean {
  const etags = ctx.get('If-None-Match')
  if (etags !== '') return etags === '*' || etags.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
  return Date.parse(ctx.get('If-Modified-Since')) >= createdAt * 1000
}

/**
 * Returns the range of a `Range` header; undefined for none, several, or anything else, which means the whole file.
 *
 * @throws {RangeNotSatisfiableError} if the file ends before it
 */
function requestedRange(header: string, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? []
  if (from === '' && to === '') return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  if (first >= size) throw new RangeNotSatisfiableError(size)
  return { first, last: from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
