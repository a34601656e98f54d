import { pipeline, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createGzip } from 'node:zlib'
import { createTarPacker } from 'modern-tar'

/** A file of an archive. */
export interface Entry {
  /** Its path, with slashes. */
  readonly name: string
  /** Bytes; the content has exactly so many. */
  readonly size: number
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/**
 * The entries as one compressed tar archive, made while it is read: some megabytes of it are in memory, however large it is.
 * @param madeAt UNIX milliseconds
 * @param signal ends it, with the signal's reason as the error of the stream
 */
export function packed(entries: AsyncIterable<Entry>, madeAt: number, signal: AbortSignal): Readable {
  const { readable, controller } = createTarPacker()
  const fill = async (): Promise<void> => {
    for await (const { name, size, content } of entries) {
      const writer = controller.add({ name, size, mtime: new Date(madeAt), mode: 0o600, type: 'file' }).getWriter()
      for await (const chunk of content) {
        signal.throwIfAborted()
        await writer.write(chunk)
      }
      await writer.close()
      signal.throwIfAborted()
    }
    controller.finalize()
  }
  fill().catch((err: unknown) => controller.error(err))
  // Whoever reads gets the error.
  return pipeline(Readable.fromWeb(readable as ReadableStream), createGzip(), () => undefined)
}
