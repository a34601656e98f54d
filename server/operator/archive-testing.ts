import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { packTar, unpackTar } from 'modern-tar'
import { packed } from '../../exports/pack.ts'

/** The files of an archive in order, by name. */
export async function archiveAt(path: string): Promise<Map<string, Buffer>> {
  const entries = await unpackTar(gunzipSync(await readFile(path)))
  return new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? [])]))
}

/** Writes an archive with these files, in this order. */
export async function writeArchive(path: string, files: Iterable<readonly [string, Buffer | string]>): Promise<void> {
  const entries = async function* () {
    for (const [name, text] of files) {
      const content = Buffer.from(text)
      yield { name, size: content.length, content: [content] }
    }
  }
  await writeFile(path, await buffer(packed(entries(), 0, new AbortController().signal)))
}

/** An archive whose only file is a link. */
export async function writeLink(path: string, name: string, linkname: string): Promise<void> {
  await writeFile(path, gzipSync(await packTar([{ header: { name, linkname, type: 'symlink', size: 0 } }])))
}
