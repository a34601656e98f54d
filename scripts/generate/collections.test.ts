import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkCollected, collect } from './collections.ts'
import type { Document } from './document.ts'

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

test('an operation without a worst call is named, and one that needs a right request and has none', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'parley-collections-'))
  t.after(() => rmSync(root, { recursive: true }))
  const operation = (operationId: string, rest = {}) => ({ operationId, responses: {}, ...rest })
  const document = {
    paths: {
      '/notes': { get: operation('get-notes'), delete: operation('delete-notes') },
      '/notes/{id}': { get: operation('get-note') },
      '/find': { get: operation('find', { parameters: [{ name: 'text', in: 'query', required: true, schema: {} }] }) },
    },
  } as unknown as Document
  const write = (folder: string, name: string, ...keys: string[]): void => {
    mkdirSync(join(root, folder), { recursive: true })
    const lines = keys.map((key) => `  ${key.includes('-') ? `'${key}'` : key}: () => ({\n    deeper: 1,\n  }),\n`)
    writeFileSync(join(root, folder, 'notes.ts'), `export const ${name} = {\n${lines.join('')}}\n`)
  }
  const problems = (): string[] => {
    try {
      checkCollected(root, document)
      return []
    } catch (err) {
      return (err as Error).message.split('\n').map((line) => line.slice(0, line.indexOf(':')))
    }
  }
  write('scripts/bench/loop', 'worstCalls', 'get-notes', 'delete-notes', 'get-note')
  assert.deepEqual(problems(), [
    'delete-notes has no right request',
    'get-note has no right request',
    'find has no right request',
    'find has no worst call',
  ])
  write('conformance/acts', 'requests', 'delete-notes', 'find', 'get-note')
  write('scripts/bench/loop', 'worstCalls', 'get-notes', 'delete-notes', 'get-note', 'find')
  assert.deepEqual(problems(), [])
})
