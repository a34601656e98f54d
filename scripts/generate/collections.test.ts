import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { collect } from './collections.ts'

test('what a folder exports under the name is collected, in the order of its files, and nothing else', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'parley-collections-'))
  t.after(() => rmSync(root, { recursive: true }))
  const collected = () => readFileSync(join(root, 'conformance/checks.generated.ts'), 'utf8')
  mkdirSync(join(root, 'conformance/checks/deep'), { recursive: true })
  for (const [file, text] of [
    ['reactions.ts', 'export const checks: readonly Check[] = []\n'],
    ['deep/all.ts', 'export function checks(contract: Contract): Check[] {\n'],
    ['helper.ts', 'const checks = []\nexport const checksOf = 1\n'],
  ] as const) {
    writeFileSync(join(root, 'conformance/checks', file), text)
  }
  collect(root)
  assert.deepEqual(collected().match(/'.*'/g), ["'./checks/deep/all.ts'", "'./checks/reactions.ts'"])
  assert.match(collected(), /collected = \[list0, list1\]/)
  rmSync(join(root, 'conformance/checks/deep/all.ts'))
  collect(root)
  assert.deepEqual(collected().match(/'.*'/g), ["'./checks/reactions.ts'"])
})
