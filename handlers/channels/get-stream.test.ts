import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, type Parameters, sharedParley } from '../../server/testing.ts'

onEachDatabase('one channel', (dialect) => {
  const parley = sharedParley(dialect)

  async function made(maker: ApiClient, parameters: Parameters = {}): Promise<{ name: string; id: number }> {
    const name = (await parley()).unique('Single')
    await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...parameters })
    return { name, id: (await maker.must('GET', '/get_stream_id', { stream: name.toUpperCase() })).stream_id }
  }

  test('an administrator knows of a private channel and does not read it', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const { id } = await made(server.as('member'), { invite_only: true })
    assert.equal((await admin.get(`/streams/${id}`)).status, 200)
    assert.equal((await admin.get(`/streams/${id}/members`)).status, 200)
    const { status, body } = await admin.get(`/users/me/${id}/topics`)
    assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'Invalid channel ID'])
  })
})
