import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkRightRequests, collect } from './collections.ts'
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

test('an operation that changes something or needs a parameter and has no right request is named', (t) => {
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
  const missing = (...ids: string[]) => ({
    message: ids.map((id) => `${id} has no right request: give it one in conformance/acts/`).join('\n'),
  })
  assert.throws(() => checkRightRequests(root, document), missing('delete-notes', 'get-note', 'find'))
  mkdirSync(join(root, 'conformance/acts'), { recursive: true })
  const text = "export const requests: Requests = {\n  'delete-notes': () => ({}),\n  find: () => ({ text: '' }),\n}\n"
  writeFileSync(join(root, 'conformance/acts/notes.ts'), text)
  assert.throws(() => checkRightRequests(root, document), missing('get-note'))
})
