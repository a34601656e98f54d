import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, basic, onEachDatabase, sharedParley } from '../../server/testing.ts'

/** Sends to #general with this User-Agent, and reads the message. */
async function sentWith(client: ApiClient, userAgent: string, parameters: Record<string, string> = {}) {
  const form = { type: 'stream', to: 'general', topic: 't', content: 'x', ...parameters }
  const headers = { Authorization: basic(client.email, client.apiKey), 'User-Agent': userAgent }
  const { body } = await client.request('POST', '/messages', {}, { body: new URLSearchParams(form), headers })
  return (await client.must('GET', `/messages/${body.id}`)).message
}

onEachDatabase('what the sending client of a message gets', (dialect) => {
  const parley = sharedParley(dialect)

  test('client is the product of the User-Agent; a sender has read messages from programs for people', async () => {
    const server = await parley()
    for (const [userAgent, client, flags] of [
      ['ZulipElectron/5.11.1 Mozilla/5.0', 'ZulipElectron', ['read']],
      ['ZulipPython/0.9.1 (Linux; 6.1)', 'ZulipPython', []],
    ] as const) {
      for (const key of ['member', 'bot']) {
        const message = await sentWith(server.as(key), userAgent)
        assert.deepEqual([message.client, message.flags], [client, flags], key)
      }
    }
    const said = await sentWith(server.as('member'), 'website', { read_by_sender: 'false' })
    assert.deepEqual(said.flags, [], 'unless they say otherwise')
  })

  test('queue_id or local_id alone is ignored', async () => {
    const member = (await parley()).as('member')
    const { queue_id } = await member.must('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
    const message = { type: 'direct', to: [member.userId], content: 'x' }
    await member.must('POST', '/messages', { ...message, queue_id })
    await member.must('POST', '/messages', { ...message, local_id: '17.03' })
    const { events } = await member.must('GET', '/events', { queue_id, dont_block: true })
    const localIds = events.map((event: { local_message_id?: string }) => event.local_message_id)
    assert.deepEqual(localIds, [undefined, undefined])
  })
})
