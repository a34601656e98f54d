import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type ApiClient, basic, onEachDatabase, sharedParley } from '../../server/testing.ts'

/** Sends to #general with this User-Agent. */
function sendWith(client: ApiClient, userAgent: string, parameters: Record<string, string>): Promise<Answer> {
  const body = new URLSearchParams({ type: 'stream', to: 'general', topic: 't', content: 'x', ...parameters })
  const headers = { Authorization: basic(client.email, client.apiKey), 'User-Agent': userAgent }
  return client.request('POST', '/messages', {}, { body, headers })
}

async function read(client: ApiClient, id: number) {
  return (await client.must('GET', `/messages/${id}`)).message
}

onEachDatabase('what a message owes to the client that sent it', (dialect) => {
  const parley = sharedParley(dialect)

  test('client is the product of the User-Agent (MSG-FIELD-23), is_me_message says what /me makes (MSG-FIELD-24)', async () => {
    const member = (await parley()).as('member')
    const send = async (content: string) => {
      const { body } = await sendWith(member, 'ZulipPython/0.9.1 (Linux; 6.1)', { content })
      return read(member, body.id)
    }
    const waving = await send('/me waves')
    assert.equal(waving.client, 'ZulipPython')
    assert.equal(waving.is_me_message, true)
    assert.equal((await send('waves')).is_me_message, false)
  })

  test('it is read where people sit at the program, and where read_by_sender says so', async () => {
    const server = await parley()
    const flags = async (key: string, userAgent: string, more: Record<string, string> = {}) => {
      const { body } = await sendWith(server.as(key), userAgent, more)
      return (await read(server.as(key), body.id)).flags
    }
    for (const interactive of ['ZulipElectron/5.11.1 Mozilla/5.0', 'ZulipFlutter/30.0.274 (Android 16)', 'website']) {
      assert.deepEqual(await flags('member', interactive), ['read'], interactive)
      assert.deepEqual(await flags('bot', interactive), ['read'], interactive)
      assert.deepEqual(await flags('member', interactive, { read_by_sender: 'false' }), [], interactive)
    }
    for (const program of ['ZulipPython/0.9.1 (Linux; 6.1)', 'curl/8.5.0', '']) {
      assert.deepEqual(await flags('member', program), [], program)
      assert.deepEqual(await flags('bot', program), [], program)
      assert.deepEqual(await flags('member', program, { read_by_sender: 'true' }), ['read'], program)
    }
  })

  test('queue_id and local_id come back as local_message_id, in that queue alone; one alone is ignored', async () => {
    const member = (await parley()).as('member')
    const register = () => member.must('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
    const [queue, another] = [await register(), await register()]
    const message = { type: 'direct', to: [member.userId], content: 'x' }
    await member.must('POST', '/messages', { ...message, queue_id: queue.queue_id, local_id: '17.01' })
    await member.must('POST', '/messages', { ...message, queue_id: queue.queue_id })
    await member.must('POST', '/messages', { ...message, local_id: '17.03' })
    const localIds = async ({ queue_id, last_event_id }: { queue_id: string; last_event_id: number }) => {
      const { events } = await member.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
      return events.map((event: { local_message_id?: string }) => event.local_message_id)
    }
    assert.deepEqual(await localIds(queue), ['17.01', undefined, undefined])
    assert.deepEqual(await localIds(another), [undefined, undefined, undefined])
  })
})
