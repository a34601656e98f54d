import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROUTES } from './control.ts'
import { RULES } from './mistakes.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/testing-clients.md'), 'utf8')

test('the samples of the guide work', async (t) => {
  const samples = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text)
  assert.ok(samples.length > 0)
  for (const [index, sample] of samples.entries()) {
    const file = join(import.meta.dirname, `guide-sample-${process.pid}-${index}.ts`)
    t.after(() => rm(file))
    await writeFile(file, sample.replace("'parley-server/testing'", "'./library.ts'"))
    await import(file)
  }
})

test('the guide names every path and every rule', () => {
  for (const route of Object.keys(ROUTES)) assert.ok(guide.includes(route.split('/').at(-1) ?? ''), route)
  for (const rule of Object.keys(RULES)) assert.ok(guide.includes(`| \`${rule}\` |`), rule)
})
