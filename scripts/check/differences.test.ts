import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((one) => one.isDirectory() && !/^\.|^(node_modules|generated|docs|changes)$/.test(one.name))
  .map(({ name }) => name)

/** The rows of all tables of docs/differences.md, without headers. */
function rowsOfPage(): string[][] {
  const lines = readFileSync(join(ROOT, 'docs/differences.md'), 'utf8').split('\n')
  const tables = lines.filter((line) => line.startsWith('|') && !/^\| (id|---) \|/.test(line))
  return tables.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** The ids in tests. */
function idsInTests(): Set<string> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(test|full)\.ts$/.test(file) && !file.includes('node_modules'))
      .map((file) => join(ROOT, folder, file)),
  )
  return new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/\bDIFF-[A-Z0-9]+(?:-[A-Z0-9]+)*\b/g) ?? []))
}

test('every difference from deployed servers has a test that names it, and every such test a line in docs/differences.md', () => {
  const ids = rowsOfPage().map(([id]) => id)
  assert.deepEqual(ids.toSorted(), [...new Set(ids)].toSorted(), 'an id stands for one difference')
  assert.deepEqual(ids.toSorted(), [...idsInTests()].toSorted())
})

test('every line says what others do, what Parley does, and why', () => {
  for (const row of rowsOfPage()) {
    assert.match(row[0] ?? '', /^DIFF-/)
    assert.equal(row.length, 4, row[0])
    for (const cell of row) assert.notEqual(cell, '', row[0])
  }
})
