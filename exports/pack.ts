import { pipeline, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createGzip } from 'node:zlib'
import { createTarPacker } from 'modern-tar'

/** A file of an archive. */
export interface Entry {
  /** Its path, with forward slashes. */
  readonly name: string
  /** Exact size of the content in bytes. */
  readonly size: number
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/**
 * Returns the entries as a compressed tar archive, which is produced while it is read. Uses some megabytes of memory,
 * regardless of its size.
 *
 * @param madeAt UNIX milliseconds
 * @param signal aborts it; the stream fails with the signal's reason
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
  // The reader of the stream gets the error.
  return pipeline(Readable.fromWeb(readable as ReadableStream), createGzip(), () => undefined)
}
