import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

test('a decision that a comment cites is there under its name', () => {
  const names = new Set(
    [...readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(/^\d+\. \*\*(.+?)\.\*\*/gm)].map(
      ([, name]) => name,
    ),
  )
  assert.ok(names.size > 20)
  const found = execFileSync(
    'git',
    ['grep', '-nohE', 'CONTRIBUTING, "[^"]+"', '--', '*.ts', '*.mjs', ':!scripts/check/decisions.test.ts'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
  const cited = [...found.matchAll(/CONTRIBUTING, "([^"]+)"/g)].map(([, name]) => name)
  assert.ok(cited.length > 5)
  assert.deepEqual(
    cited.filter((name) => !names.has(name)),
    [],
  )
})
