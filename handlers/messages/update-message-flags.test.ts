import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('message flags', (dialect) => {
  const parley = sharedParley(dialect)

  /** Creates a channel with a reader and a writer, and a queue of the reader. */
  async function begin() {
    const server = await parley()
    const [reader, writer] = [await server.newUser(), await server.newUser()]
    const { name: channel, id: channelId } = await server.newChannel([writer, reader])
    const events = await reader.listen(['update_message_flags'])
    const send = (content?: string, topic = 't') => writer.send(channel, content, { topic })
    return { server, reader, channel, channelId, send, events }
  }

  const change = (client: ApiClient, messages: number[], op: string, flag: string) =>
    client.must('POST', '/messages/flags', { messages, op, flag })
  const flagsOf = async (client: ApiClient, id: number): Promise<string[]> =>
    (await client.must('GET', `/messages/${id}`)).message.flags
  const unreadOf = async (client: ApiClient) =>
    (await client.must('POST', '/register', { fetch_event_types: ['message', 'update_message_flags'] })).unread_msgs

  test('messages that become unread again have the mentions of wildcards', async () => {
    const { reader, channelId, send, events } = await begin()
    const id = await send('@**all** hi')
    await change(reader, [id], 'add', 'read')
    await change(reader, [id], 'remove', 'read')
    const details = { [id]: { type: 'stream', stream_id: channelId, topic: 't', mentioned: true } }
    assert.deepEqual((await events())[1].message_details, details)
  })

  test('a message without a subscription enters the history when flagged, and can be unread after subscribing', async () => {
    const { server, channel, channelId, send } = await begin()
    const later = await server.newUser()
    const ids = [await send(), await send('@**all** come')] as const
    await change(later, [ids[0]], 'add', 'starred')
    const starred = await later.newest([['is', 'starred']])
    assert.deepEqual([starred.length, starred[0]?.id], [1, ids[0]])
    await later.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel }] })
    const done = await change(later, [...ids], 'remove', 'read')
    assert.deepEqual(done.ignored_because_not_subscribed_channels, [])
    assert.deepEqual(await flagsOf(later, ids[0]), ['starred', 'historical'])
    assert.deepEqual(await flagsOf(later, ids[1]), ['historical'])
    const unread = await unreadOf(later)
    assert.deepEqual(unread.mentions, [], 'the wildcard reached those who received it')
    assert.deepEqual(unread.streams, [{ stream_id: channelId, topic: 't', unread_message_ids: [...ids] }])
  })

  test('messages in an archived channel do not become unread, as POST /register would not list them', async () => {
    const { server, reader, channelId, send, events } = await begin()
    const id = await send()
    await change(reader, [id], 'add', 'read')
    await server.as('owner').must('DELETE', `/streams/${channelId}`)
    const done = await change(reader, [id], 'remove', 'read')
    assert.deepEqual(done.ignored_because_not_subscribed_channels, [channelId])
    assert.deepEqual(
      (await events()).map(({ op }) => op),
      ['add'],
    )
    assert.deepEqual(await flagsOf(reader, id), ['read'])
  })

  test('the star of a message that its reader lost can be removed, and nothing else changes there', async () => {
    const { server, send, events, reader, channel, channelId } = await begin()
    const id = await send()
    await change(reader, [id], 'add', 'starred')
    await server.as('owner').must('PATCH', `/streams/${channelId}`, { is_private: true })
    await reader.must('DELETE', '/users/me/subscriptions', { subscriptions: [channel] })
    for (const flag of ['starred', 'collapsed']) await change(reader, [id], 'remove', flag)
    await change(reader, [id], 'add', 'starred')
    const changes = (await events()).map(({ op, flag }) => `${op} ${flag}`)
    assert.deepEqual(changes, ['add starred', 'add read', 'remove starred'])
    const { starred_messages } = await reader.must('POST', '/register', { fetch_event_types: ['starred_messages'] })
    assert.deepEqual(starred_messages, [])
  })

  test('flags of the server cannot be edited', async () => {
    const { reader } = await begin()
    for (const [flag, said] of [
      ['mentioned', "Flag not editable: 'mentioned'"],
      ['toString', "Invalid flag: 'toString'"],
    ]) {
      const { status, body } = await reader.post('/messages/flags', { messages: [1], op: 'add', flag })
      assert.deepEqual([status, body.msg], [400, said])
    }
  })

  test('POST /mark_topic_as_read: any spelling of the topic; the empty one may have no messages (READ-5, READ-7)', async () => {
    const { reader, channelId, send } = await begin()
    const ids = [await send('x', 'Lunch'), await send('x', 'lunch')]
    for (const topic_name of [' LUNCH', '']) {
      await reader.must('POST', '/mark_topic_as_read', { stream_id: channelId, topic_name })
    }
    for (const id of ids) assert.ok((await flagsOf(reader, id)).includes('read'))
  })

  test('POST /mark_all_as_read: has one event for everything, and later messages are unread', async () => {
    const { reader, send, events } = await begin()
    const id = await send()
    for (const _ of ['unread', 'read']) await reader.must('POST', '/mark_all_as_read')
    assert.equal((await unreadOf(reader)).count, 0)
    const [event, ...more] = await events()
    assert.deepEqual([event.messages.at(-1), event.all, more], [id, true, []])
    const next = await send()
    assert.ok(!(await flagsOf(reader, next)).includes('read'))
  })
})
