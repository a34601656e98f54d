import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../../../conformance/seed-testing.ts'
import { fullOr } from '../../../conformance/tier-testing.ts'
import { onEachDatabase, ownParley } from '../../../server/testing.ts'
import { checkSecrecy, emptySecrets } from './secrecy.ts'
import { secrets } from './secrets.ts'

onEachDatabase('secrecy', (dialect) => {
  for (const withAdministrator of [false, true]) {
    const who = withAdministrator ? 'anybody, administrators included' : 'those who do not administer'
    test(`answer to the byte alike where organizations differ in what ${who} may not see (SEC-HIDDEN-1)`, async () => {
      const options = { seed, runs: fullOr(2, 1), looksARun: fullOr(400, 150), withAdministrator }
      const { asked, kept } = await checkSecrecy(dialect, options)
      console.log(`seed ${seed}: ${asked} questions about ${kept.size} kinds of secrets`)
      assert.equal(kept.size, secrets.filter((one) => one.forAdministratorsToo || !withAdministrator).length)
    })
  }

  test('report an address that is taken, whether it is hidden or not (SEC-HIDDEN-2)', async (t) => {
    const server = await ownParley(t, dialect)
    await server.as('member2').must('PATCH', '/settings', { email_address_visibility: 4 })
    const refusals = await Promise.all(
      ['member2', 'moderator'].map((one) => server.as('guest').patch('/settings', { email: server.as(one).email })),
    )
    const msg = 'Email is already in use.'
    for (const { status, body } of refusals) {
      assert.deepEqual([status, body], [400, { result: 'error', msg, code: 'BAD_REQUEST' }])
    }
  })

  test('tell others by positions of events that something happened (DIFF-EVENT-POSITIONS)', async (t) => {
    const server = await ownParley(t, dialect)
    const { queue_id, last_event_id } = await server.as('guest').must('POST', '/register', { event_types: ['message'] })
    const to = [server.as('member').userId]
    await server.as('owner').must('POST', '/messages', { type: 'direct', to, content: 'between us' })
    const own = { type: 'direct', to: [server.as('guest').userId], content: 'to me' }
    await server.as('owner').must('POST', '/messages', own)
    const { events } = await server.as('guest').must('GET', '/events', { queue_id, last_event_id, dont_block: true })
    assert.equal(events.length, 1)
    assert.ok(events[0].id > last_event_id + 1)
  })

  test('differ in every kind of secret for people who may see it', async () => {
    assert.deepEqual(await emptySecrets(dialect), [])
  })
})
