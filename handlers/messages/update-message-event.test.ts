import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { edit, listen, send } from './edits-testing.ts'

const listenTo = (client: ApiClient) => listen(client, ['update_message'])

onEachDatabase('the event of PATCH /messages/{message_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('has the channel, and the flag historical for late subscribers (EV-OTHER-12)', async () => {
    const server = await parley()
    const [member, late] = [server.as('member'), server.as('member2')]
    const { name: to } = await server.newChannel([member])
    const id = await send(member, 'old', { to })
    await late.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }] })
    const queue = await listenTo(late)
    await edit(member, id, { content: '@**all**' })
    const [event] = await queue()
    assert.deepEqual([event?.stream_name, event?.flags], [to, ['read', 'historical']])
  })
})
