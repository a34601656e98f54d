import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runConformance } from './run.ts'
import { sharedServer } from './testing.ts'

const server = sharedServer({ PARLEY_RATE_LIMITS: 'on' })

/** What README says to do first, at a server that was started as README says. */
test('U3: a quick run passes at a server with rate limits', async () => {
  const { url, logins } = await server()
  const { passed, profile, isLimited, results, remains } = await runConformance({ url, logins })
  assert.deepEqual([profile, isLimited], ['quick', true])
  const failed = results.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'left out')
  assert.deepEqual(
    failed.map(({ check, findings }) => [check.id, findings]),
    [],
  )
  assert.deepEqual([passed, remains], [true, []])
})
