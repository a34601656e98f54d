import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/decisions')

test('a decision that a comment cites has a page, and every page is listed', () => {
  const pages = readdirSync(FOLDER).filter((file) => file !== 'README.md')
  const names = new Set(pages.map((file) => readFileSync(join(FOLDER, file), 'utf8').split('\n')[0]?.slice(2)))
  const list = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  assert.deepEqual(
    pages.filter((file) => !list.includes(`(${file})`)),
    [],
  )
  const found = execFileSync('git', ['grep', '-hA1', 'docs/decisions,', '--', '*.ts', '*.mjs', '*.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const cited = [...found.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ').matchAll(/docs\/decisions, "([^"]+)"/g)].map(
    ([, name = '']) => name,
  )
  assert.ok(cited.length > 15)
  assert.deepEqual(
    cited.filter((name) => !names.has(name)),
    [],
  )
})
