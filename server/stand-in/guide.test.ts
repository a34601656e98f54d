import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { operations } from './control-testing.ts'
import { startParley } from './library.ts'
import { RULES } from './mistakes.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/testing-clients.md'), 'utf8')
const samples = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text)

test('the samples of the guide work', async (t) => {
  assert.ok(samples.length > 0)
  for (const [index, sample] of samples.entries()) {
    const file = join(import.meta.dirname, `guide-sample-${process.pid}-${index}.ts`)
    t.after(() => rm(file))
    await writeFile(file, sample.replace("'parley-server/testing'", "'./library.ts'"))
    await import(file)
  }
})

test('the guide names every path and every rule', () => {
  for (const { path } of operations()) assert.ok(guide.includes(path.slice('/testing/'.length)), path)
  for (const rule of Object.keys(RULES)) assert.ok(guide.includes(`| \`${rule}\` |`), rule)
})

test('its samples use every verb, and break every rule', async () => {
  const code = samples.join('\n')
  await using parley = await startParley()
  const verbs = Object.entries(parley).filter(([, value]) => typeof value === 'function')
  for (const [name] of verbs) {
    if (!['stop', 'unique'].includes(name)) assert.ok(code.includes(`parley.${name}(`), name)
  }
  for (const rule of Object.keys(RULES)) assert.ok(code.includes(`'${rule}'`), rule)
})
