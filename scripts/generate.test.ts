import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { operationsOf } from './generate/document.ts'
import { readSource } from './generate/source.ts'
import { withoutTesting } from './generate/testing-paths.ts'
import { ensureGenerated } from './generate.ts'

let root = ''

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'parley-generate-'))
  const project = join(import.meta.dirname, '..')
  await cp(join(project, 'openapi'), join(root, 'openapi'), { recursive: true })
  await cp(join(project, 'scripts/generate'), join(root, 'scripts/generate'), { recursive: true })
  for (const { operation } of operationsOf(withoutTesting((await readSource(join(root, 'openapi'))).document))) {
    const file = join(root, 'handlers', operation.tags?.[0] ?? '', `${operation.operationId}.ts`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
})
after(() => rmSync(root, { recursive: true }))

test('generate once, and again after a change', async () => {
  assert.equal(await ensureGenerated({ root }), true)
  assert.equal(await ensureGenerated({ root }), false)
  const contract = join(root, 'openapi/openapi.yaml')
  utimesSync(contract, new Date(0), new Date(0))
  assert.equal(await ensureGenerated({ root }), false, 'the time of a file does not matter')
  writeFileSync(contract, `${readFileSync(contract, 'utf8')}# changed\n`)
  assert.equal(await ensureGenerated({ root }), true)
})

test('generate again if a file is missing', async () => {
  await ensureGenerated({ root })
  for (const file of ['generated/decoded.json', 'generated/requests.json', 'server/operations.generated.ts']) {
    rmSync(join(root, file))
    assert.equal(await ensureGenerated({ root }), true, file)
  }
})

test('write whole files if several generate at once', async () => {
  rmSync(join(root, 'generated'), { recursive: true, force: true })
  await Promise.all([ensureGenerated({ root }), ensureGenerated({ root })])
  assert.deepEqual(
    readdirSync(join(root, 'generated')).filter((file) => file.endsWith('.tmp')),
    [],
  )
  for (const file of ['wire.json', 'wire-3.0.json', 'decoded.json', 'requests.json'])
    JSON.parse(readFileSync(join(root, 'generated', file), 'utf8'))
})
