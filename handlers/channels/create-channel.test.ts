import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, type Parameters, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /channels/create', (dialect) => {
  const parley = sharedParley(dialect)
  const make = (maker: ApiClient, name: string, parameters: Parameters = {}) =>
    maker.post('/channels/create', { name, subscribers: [], ...parameters })
  const isThere = async (viewer: ApiClient, name: string) =>
    (await viewer.get('/get_stream_id', { stream: name })).status === 200

  test('a private channel without its creator is closed to them', async () => {
    const server = await parley()
    const [maker, other] = [await server.newUser(), await server.newUser()]
    const name = server.unique('Given')
    const { id } = (await make(maker, name, { subscribers: [other.userId], invite_only: true })).body
    const messages = { narrow: [{ operator: 'channel', operand: id }], anchor: 'newest', num_before: 1, num_after: 0 }
    await other.must('POST', '/messages', { type: 'stream', to: id, topic: 'x', content: 'Ours.' })
    assert.equal((await maker.get('/messages', messages)).body.code, 'BAD_NARROW')
    assert.equal((await other.must('GET', '/messages', messages)).messages.length, 1)
  })

  test('refuse with a reason, and create nothing (DIFF-DESCRIPTIONS)', async () => {
    const server = await parley()
    const maker = await server.newUser()
    const gone = await server.newUser()
    await server.as('owner').must('DELETE', `/users/${gone.userId}`)
    const name = server.unique('Refused')
    for (const [parameters, msg] of [
      [{ subscribers: [maker.userId, 2_000_000_000] }, 'No such user'],
      [{ subscribers: [gone.userId] }, 'User is deactivated'],
      [{ description: 'x'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
      [{ description: '😀'.repeat(1024) }, 'description is too long (limit: 32768 bytes as HTML)'],
      [{ name: ' ' }, "Channel name can't be empty."],
      [{ name: 'x'.repeat(61) }, 'Channel name too long (limit: 60 characters).'],
      [{ name: `a\nb` }, 'Invalid character in channel name, at position 2.'],
      [{ history_public_to_subscribers: false }, 'Invalid parameters'],
      [{ is_default_stream: true }, 'You do not have permission to change default channels.'],
      [{ can_delete_any_message_group: 5 }, 'Insufficient permission'],
      [{ can_subscribe_group: 99 }, 'Invalid user group'],
      [{ folder_id: 1_000_000 }, 'Invalid channel folder ID'],
    ] as const) {
      const { status, body } = await make(maker, name, parameters)
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', msg], JSON.stringify(parameters))
    }
    const kept = await make(server.as('admin'), name, { message_retention_days: 'unlimited' })
    assert.equal(kept.body.msg, 'Must be an organization owner')
    const hidden = await make(server.as('admin'), name, { is_default_stream: true, invite_only: true })
    assert.equal(hidden.body.msg, 'A default channel cannot be private.')
    assert.equal(await isThere(maker, name), false)
  })

  test('the missing permission is reported before a name that is taken', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const name = server.unique('Hidden')
    await make(owner, name, { invite_only: true })
    const { status, body } = await make(server.as('member'), name, { is_default_stream: true })
    assert.deepEqual([status, body.msg], [400, 'You do not have permission to change default channels.'])
  })
})
