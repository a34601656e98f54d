import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

/** README, and the documents of folders that people outside read. */
function documents(): string[] {
  const inFolders = ['docs', 'examples', 'clients', 'conformance', 'server'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.md$|\bpackage\.json$/.test(file) && !file.includes('node_modules'))
      .map((file) => join(folder, file)),
  )
  return ['README.md', 'CONTRIBUTING.md', ...inFolders]
}

test('U4: no document installs a package that is in no registry', () => {
  for (const file of documents()) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    assert.doesNotMatch(text, /\bnpx (?!--no -- )(-\S+ )*parley-|\b(npm (i|install)|pip install) (-\S+ )*parley-/, file)
  }
})
