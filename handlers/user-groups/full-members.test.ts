import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_SECONDS } from '../../domain/clock.ts'
import { startWithMovedClock } from '../../jobs/moved-clock-testing.ts'

test('new members become full members without an event (DIFF-FULL-MEMBERS)', async (t) => {
  const { server, pass, runJobs } = await startWithMovedClock(t, 'sqlite')
  const owner = server.as('owner')
  await owner.must('PATCH', '/realm', { waiting_period_threshold: 3 })
  const { userId } = await server.newUser()
  const isFull = async (): Promise<boolean> => {
    const { realm_user_groups } = await owner.must('POST', '/register', { fetch_event_types: ['realm_user_groups'] })
    return realm_user_groups.find(({ name }: { name: string }) => name === 'role:fullmembers').members.includes(userId)
  }
  assert.equal(await isFull(), false)
  const queue_lifespan_secs = 30 * DAY_SECONDS
  const { queue_id, last_event_id } = await owner.must('POST', '/register', {
    event_types: ['user_group'],
    queue_lifespan_secs,
  })
  pass(4)
  await runJobs()
  assert.equal(await isFull(), true)
  const { events } = await owner.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
  assert.deepEqual(events, [])
})
