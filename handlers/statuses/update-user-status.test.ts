import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /users/{user_id}/status', (dialect) => {
  const parley = sharedParley(dialect)

  test('whoever is an administrator no longer does not, whatever was known of them a moment ago', async () => {
    const server = await parley()
    const [owner, other] = [server.as('owner'), await server.newUser()]
    const former = await server.newUser()
    const events = ['user_status', 'realm_user']
    const queue = await owner.must('POST', '/register', { event_types: events, fetch_event_types: [] })
    for (let round = 0; round < 10; round++) {
      await owner.must('PATCH', `/users/${former.userId}`, { role: 200 })
      await former.must('GET', '/users/me')
      await Promise.all([
        owner.must('PATCH', `/users/${former.userId}`, { role: 400 }),
        former.post(`/users/${other.userId}/status`, { status_text: `${round}` }),
      ])
    }
    let isAdministrator = false
    for (const event of (await owner.must('GET', '/events', queue)).events) {
      if (event.type === 'realm_user') isAdministrator = event.person.role === 200
      else assert.ok(isAdministrator, `status '${event.status_text}' came after the role was gone`)
    }
  })

  test('unknown users, bots, which say nothing, and nothing to change are refused', async () => {
    const server = await parley()
    const admin = server.as('admin')
    for (const id of [999_999, 0, '9'.repeat(30), server.as('bot').userId]) {
      const { status, body } = await admin.post(`/users/${id}/status`, { status_text: 'x' })
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'No such user'], String(id))
    }
    const nothing = await admin.post(`/users/${server.as('member').userId}/status`, {})
    assert.equal(nothing.body.msg, 'Client did not pass any new values.')
    const unknown = await admin.get('/users/999999/status')
    assert.deepEqual([unknown.status, unknown.body.msg], [400, 'No such user'])
    assert.deepEqual((await admin.must('GET', `/users/${server.as('bot').userId}/status`)).status, {})
  })
})
