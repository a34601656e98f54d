import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runConformance } from '../conformance/run.ts'
import { onEachDatabase, sharedParley } from './testing.ts'

/** What the suite cannot do at any server; the list may only shrink. */
const ALWAYS_LEFT_OUT = ['envelope/hostile/deactivate-own-user']

onEachDatabase('conformance suite', (dialect) => {
  const parley = sharedParley(dialect)

  test('passes, leaves out nothing else, and looks at every requirement that its checks name', async () => {
    const { url, credentials } = await parley()
    const logins = Object.values(credentials.users).map(({ email, api_key: apiKey }) => ({ email, apiKey }))
    const { results, passed, noUsers } = await runConformance({ url, logins, strict: true })
    const wrong = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'deviation')
    assert.deepEqual(
      wrong.map(({ check, findings, deviations }) => [check.id, findings, deviations]),
      [],
    )
    assert.deepEqual([passed, noUsers], [true, undefined])
    const leftOut = results.filter(({ outcome }) => outcome === 'left out').map(({ check }) => check.id)
    assert.deepEqual(leftOut, ALWAYS_LEFT_OUT)
    const unseen = results.filter(({ outcome, reasons }) => outcome === 'passed' && reasons.length > 0)
    const forgotten = unseen.map(({ check, reasons }) => [check.id, reasons])
    assert.deepEqual(forgotten, [])
  })
})
