import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const tests = `
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

const stray = (message) => setTimeout(() => { throw new Error(message) }, 5)
const rejected = async (message) => { await delay(5); throw new Error(message) }
const heard = (event) => new Promise((resolve) => process.once(event, () => setImmediate(resolve)))

describe('one after the other', () => {
  before(() => delay(1))
  test('has a subtest', async (t) => {
    await delay(5)
    after(() => delay(1))
    await t.test('inner', () => delay(1))
    await test('inner, not by its context', () => delay(1))
  })
  test('throws later', async () => { stray('thrown later'); await heard('uncaughtException') })
  test('throws later and never ends', () => { stray('thrown by what never ends'); return new Promise(() => {}) })
  test('rejects later', async () => { await delay(1); void rejected('rejected later'); await heard('unhandledRejection') })
  describe('suite in a suite', () => { test('passes', () => delay(1)) })
})
describe('at the same time', { concurrency: 3 }, () => {
  for (const place of [1, 2, 3]) {
    test('number ' + place, async () => {
      await delay(place)
      if (place !== 2) return
      void rejected('of the second')
      await heard('unhandledRejection')
    })
  }
})
`

/** The tests of `file` that passed and failed, with the reason. */
async function outcomes(file: string, ...options: string[]): Promise<string[]> {
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env
  const told = new Promise<string>((resolve) => {
    execFile(process.execPath, [...options, '--test-reporter', 'tap', file], { env: environment }, (_err, stdout) =>
      resolve(stdout),
    )
  })
  return (await told).split('\n').filter((line) => /^ *(ok|not ok|error:) /.test(line))
}

test('tests, and errors that come when nobody waits for them, belong to the same as without it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-hooks-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'tests.mjs')
  writeFileSync(file, tests)
  const heavy = await outcomes(file)
  assert.deepEqual(await outcomes(file, '--import', new URL('light-hooks.mjs', import.meta.url).href), heavy)
  const errors = heavy.filter((line) => /error: '(thrown|rejected|of the second)/.test(line))
  assert.equal(errors.length, 4, heavy.join('\n'))
})
