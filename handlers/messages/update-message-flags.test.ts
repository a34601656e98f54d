import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('message flags', (dialect) => {
  const parley = sharedParley(dialect)

  /** Creates a channel with a reader and a writer, and a queue of the reader. */
  async function begin(capabilities: Record<string, boolean> = { empty_topic_name: true }) {
    const server = await parley()
    const [reader, writer] = [await server.newUser(), await server.newUser()]
    const channel = server.unique('Flags')
    await writer.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: channel }],
      principals: [reader.userId, writer.userId],
    })
    const { queue_id: queueId } = await reader.must('POST', '/register', {
      event_types: ['update_message_flags'],
      client_capabilities: { notification_settings_null: true, ...capabilities },
    })
    const send = async (content = 'x', topic = 't', client = writer): Promise<number> =>
      (await client.must('POST', '/messages', { type: 'channel', to: channel, topic, content })).id
    const sendDirect = async (to: number[]): Promise<number> =>
      (await writer.must('POST', '/messages', { type: 'direct', to, content: 'x' })).id
    const flagsOf = async (id: number, client = reader): Promise<string[]> =>
      (await client.must('GET', `/messages/${id}`)).message.flags
    const events = async () =>
      (await reader.must('GET', '/events', { queue_id: queueId, last_event_id: -1, dont_block: true })).events.map(
        ({ id: _, ...event }: { id: number }) => event,
      )
    const { stream_id: channelId } = (await writer.must('GET', `/messages/${await send('first')}`)).message
    return { server, reader, writer, channel, channelId, send, sendDirect, flagsOf, events }
  }

  const change = (client: ApiClient, messages: number[], op: string, flag: string) =>
    client.must('POST', '/messages/flags', { messages, op, flag })
  const added = (flag: string, messages: number[]) => ({
    type: 'update_message_flags',
    op: 'add',
    operation: 'add',
    flag,
    messages,
    all: false,
  })

  describe('POST /messages/flags', () => {
    test('each editable flag comes and goes, on the caller’s side only, and their queues hear of it', async () => {
      const { reader, writer, send, flagsOf, events } = await begin()
      const ids = [await send(), await send()]
      for (const flag of ['read', 'starred', 'collapsed']) {
        const body = await change(reader, [...ids].reverse(), 'add', flag)
        assert.deepEqual(body, { result: 'success', msg: '', messages: ids.toReversed() })
        for (const id of ids) assert.ok((await flagsOf(id)).includes(flag), flag)
      }
      assert.deepEqual(await flagsOf(ids[0] ?? 0, writer), ['read'])
      for (const flag of ['starred', 'collapsed']) await change(reader, ids.slice(0, 1), 'remove', flag)
      assert.deepEqual(await flagsOf(ids[0] ?? 0), ['read'])
      assert.deepEqual(await flagsOf(ids[1] ?? 0), ['read', 'starred', 'collapsed'])
      const removed = (flag: string) => ({ ...added(flag, ids.slice(0, 1)), op: 'remove', operation: 'remove' })
      assert.deepEqual(await events(), [
        added('read', ids),
        added('starred', ids),
        added('collapsed', ids),
        removed('starred'),
        removed('collapsed'),
      ])
    })

    test('only what changes is an event', async () => {
      const { reader, send, events } = await begin()
      const [one, two] = [await send(), await send()]
      await change(reader, [one], 'add', 'read')
      assert.deepEqual((await change(reader, [one, two], 'add', 'read')).messages, [one, two])
      await change(reader, [one, two], 'add', 'read')
      await change(reader, [one], 'remove', 'starred')
      assert.deepEqual(await events(), [added('read', [one]), added('read', [two])])
    })

    test('unread again: with where it is, for every kind of conversation', async () => {
      const { reader, writer, channelId, send, sendDirect, flagsOf, events, server } = await begin()
      const third = await server.newUser()
      const ids = [
        await send('@**all** hi', ''),
        await sendDirect([reader.userId]),
        await sendDirect([third.userId, reader.userId]),
      ] as const
      await change(reader, [...ids], 'add', 'read')
      const body = await change(reader, [...ids], 'remove', 'read')
      assert.deepEqual([body.messages, body.ignored_because_not_subscribed_channels], [[...ids], []])
      for (const id of ids) assert.ok(!(await flagsOf(id)).includes('read'))
      assert.deepEqual((await events())[1], {
        type: 'update_message_flags',
        op: 'remove',
        operation: 'remove',
        flag: 'read',
        messages: [...ids],
        all: false,
        message_details: {
          [ids[0]]: { type: 'stream', stream_id: channelId, topic: '', mentioned: true },
          [ids[1]]: { type: 'private', user_ids: [writer.userId] },
          [ids[2]]: { type: 'private', user_ids: [writer.userId, third.userId].toSorted((a, b) => a - b) },
        },
      })
    })

    test('the empty topic has its display name for whoever does not know it', async () => {
      const { reader, send, events } = await begin({})
      const id = await send('x', '')
      await change(reader, [id], 'add', 'read')
      await change(reader, [id], 'remove', 'read')
      assert.equal((await events())[1].message_details[id].topic, 'general chat')
    })

    test('what one did not receive is historical, and in one’s history once it is marked', async () => {
      const { server, channel, channelId, send } = await begin()
      const later = await server.newUser()
      const ids = [await send(), await send('@**all** come')] as const
      const flags = async (id: number) => (await later.must('GET', `/messages/${id}`)).message.flags
      const starred = async () =>
        (
          await later.must('GET', '/messages', {
            narrow: [['is', 'starred']],
            anchor: 'newest',
            num_before: 9,
            num_after: 0,
          })
        ).messages.map((message: { id: number }) => message.id)
      await change(later, [ids[0]], 'add', 'starred')
      assert.deepEqual(await flags(ids[0]), ['read', 'starred', 'historical'])
      assert.deepEqual(await starred(), [ids[0]])
      assert.deepEqual(
        (await later.must('POST', '/register', { fetch_event_types: ['starred_messages'] })).starred_messages,
        [ids[0]],
      )

      const refused = await change(later, [...ids], 'remove', 'read')
      assert.deepEqual(refused.ignored_because_not_subscribed_channels, [channelId])
      assert.deepEqual(await flags(ids[1]), ['read', 'historical'])

      await later.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel }] })
      const done = await change(later, [...ids], 'remove', 'read')
      assert.deepEqual(done.ignored_because_not_subscribed_channels, [])
      assert.deepEqual(await flags(ids[0]), ['starred', 'historical'])
      assert.deepEqual(await flags(ids[1]), ['historical'])
      const { unread_msgs: unread } = await later.must('POST', '/register', {
        fetch_event_types: ['message', 'update_message_flags'],
      })
      assert.deepEqual(unread.mentions, [], 'the wildcard reached those who received it')
      assert.deepEqual(unread.streams, [{ stream_id: channelId, topic: 't', unread_message_ids: [...ids] }])
    })

    test('what may not be seen is as if it were not there; the answer repeats the request', async () => {
      const { server, reader, writer, send, events } = await begin()
      const secret = (await writer.must('POST', '/messages', { type: 'direct', to: [writer.userId], content: 'x' })).id
      const id = await send()
      for (const flag of ['starred', 'read']) {
        for (const op of ['add', 'remove']) {
          const asked = [secret, 2_000_000_000, -1, id, id]
          assert.deepEqual((await change(reader, asked, op, flag)).messages, asked)
        }
      }
      for (const event of await events()) assert.deepEqual(event.messages, [id])
      assert.deepEqual(
        await (await server.newUser()).must('POST', '/messages/flags', {
          messages: [secret],
          op: 'add',
          flag: 'starred',
        }),
        { result: 'success', msg: '', messages: [secret] },
      )
    })

    test('bad input is refused by name', async () => {
      const { reader } = await begin()
      const refusal = async (parameters: object) => {
        const { status, body } = await reader.post('/messages/flags', {
          messages: [1],
          op: 'add',
          flag: 'read',
          ...parameters,
        })
        assert.equal(status, 400)
        return body.msg
      }
      assert.equal(await refusal({ flag: 'mentioned' }), "Flag not editable: 'mentioned'")
      assert.equal(await refusal({ flag: 'historical' }), "Flag not editable: 'historical'")
      assert.equal(await refusal({ flag: 'wildcard_mentioned' }), "Flag not editable: 'wildcard_mentioned'")
      assert.equal(await refusal({ flag: 'toString' }), "Invalid flag: 'toString'")
      assert.equal(await refusal({ op: 'toggle' }), 'Invalid op')
      assert.equal(await refusal({ messages: 5 }), 'messages is not a list')
      assert.equal(await refusal({ messages: ['x'] }), 'messages[0] is not an integer')
      for (const name of ['messages', 'op', 'flag'])
        assert.equal(await refusal({ [name]: undefined }), `Missing '${name}' argument`)
    })
  })

  describe('POST /messages/flags/narrow (REF-4)', () => {
    test('a range in a narrow; told what was processed and what changed', async () => {
      const { reader, send, channel, flagsOf, events } = await begin()
      const ids = []
      for (let count = 0; count < 5; count += 1) ids.push(await send('x', 'topic'))
      await change(reader, ids.slice(1, 2), 'add', 'read')
      const narrow = [
        ['channel', channel],
        ['topic', 'topic'],
      ]
      const body = await reader.must('POST', '/messages/flags/narrow', {
        anchor: ids[0],
        include_anchor: false,
        num_before: 0,
        num_after: 3,
        narrow,
        op: 'add',
        flag: 'read',
      })
      assert.deepEqual(body, {
        result: 'success',
        msg: '',
        processed_count: 3,
        updated_count: 2,
        first_processed_id: ids[1],
        last_processed_id: ids[3],
        found_oldest: false,
        found_newest: false,
      })
      assert.deepEqual(await Promise.all(ids.map(async (id) => (await flagsOf(id)).includes('read'))), [
        false,
        true,
        true,
        true,
        false,
      ])
      assert.deepEqual((await events()).at(-1), added('read', [ids[2] ?? 0, ids[3] ?? 0]))
      const none = await reader.must('POST', '/messages/flags/narrow', {
        anchor: 'oldest',
        num_before: 0,
        num_after: 10,
        narrow: [
          ['channel', channel],
          ['topic', 'nothing there'],
        ],
        op: 'remove',
        flag: 'read',
      })
      assert.deepEqual(none, {
        result: 'success',
        msg: '',
        processed_count: 0,
        updated_count: 0,
        first_processed_id: null,
        last_processed_id: null,
        found_oldest: true,
        found_newest: true,
        ignored_because_not_subscribed_channels: [],
      })
    })

    test('from the first unread on, as clients read', async () => {
      const { reader, send, channel } = await begin()
      const ids = [await send(), await send()]
      const request = {
        anchor: 'first_unread',
        num_before: 0,
        num_after: 5000,
        narrow: [['channel', channel]],
        op: 'add',
        flag: 'read',
      }
      const body = await reader.must('POST', '/messages/flags/narrow', request)
      assert.deepEqual([body.processed_count, body.updated_count, body.last_processed_id], [3, 3, ids[1]])
      const again = await reader.must('POST', '/messages/flags/narrow', request)
      assert.deepEqual([again.processed_count, again.updated_count], [0, 0])
    })

    test('bad input is refused by name', async () => {
      const { reader, channel } = await begin()
      const valid = {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [['channel', channel]],
        op: 'add',
        flag: 'read',
      }
      const refusal = async (parameters: object) =>
        (await reader.post('/messages/flags/narrow', { ...valid, ...parameters })).body.msg
      for (const name of Object.keys(valid))
        assert.equal(await refusal({ [name]: undefined }), `Missing '${name}' argument`)
      assert.equal(await refusal({ anchor: 'date' }), 'Invalid anchor')
      assert.equal(
        await refusal({ num_after: 1, include_anchor: false }),
        'The anchor can only be excluded at an end of the range',
      )
      assert.equal(await refusal({ num_after: 5000 }), 'Too many messages requested (maximum 5000).')
      assert.equal(await refusal({ flag: 'mentioned' }), "Flag not editable: 'mentioned'")
      assert.equal(await refusal({ narrow: [['colour', 'x']] }), 'Invalid narrow operator: unknown operator colour')
    })
  })

  describe('marking as read at once', () => {
    const unreadOf = async (client: ApiClient) =>
      (await client.must('POST', '/register', { fetch_event_types: ['message', 'update_message_flags'] })).unread_msgs

    test('POST /mark_topic_as_read: this topic, however it is written (READ-3, READ-4, READ-5, READ-8)', async () => {
      const { reader, channelId, send, flagsOf, events } = await begin()
      const ids = [await send('x', 'Lunch'), await send('x', 'lunch')]
      const other = await send('x', 'other')
      const request = { stream_id: channelId, topic_name: ' LUNCH' }
      assert.deepEqual(await reader.must('POST', '/mark_topic_as_read', request), { result: 'success', msg: '' })
      for (const id of ids) assert.ok((await flagsOf(id)).includes('read'))
      assert.ok(!(await flagsOf(other)).includes('read'))
      await reader.must('POST', '/mark_topic_as_read', request)
      assert.deepEqual(await events(), [added('read', ids)])
      const empty = await send('x', '')
      await reader.must('POST', '/mark_topic_as_read', { stream_id: channelId, topic_name: 'general chat' })
      assert.ok((await flagsOf(empty)).includes('read'))
    })

    test('an unknown channel or topic is refused (READ-1, READ-2, READ-7)', async () => {
      const { server, reader, writer, channelId } = await begin()
      const hidden = server.unique('Hidden')
      await writer.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: hidden }], invite_only: true })
      const sent = await writer.must('POST', '/messages', { type: 'channel', to: hidden, topic: 't', content: 'x' })
      const hiddenId = (await writer.must('GET', `/messages/${sent.id}`)).message.stream_id
      const refusal = async (path: string, parameters: object) => (await reader.post(path, { ...parameters })).body.msg
      for (const id of [99_999, hiddenId]) {
        assert.equal(await refusal('/mark_topic_as_read', { stream_id: id, topic_name: 't' }), 'Invalid channel ID')
        assert.equal(await refusal('/mark_stream_as_read', { stream_id: id }), 'Invalid channel ID')
      }
      assert.equal(
        await refusal('/mark_topic_as_read', { stream_id: channelId, topic_name: 'none' }),
        "No such topic 'none'",
      )
      assert.equal((await reader.post('/mark_topic_as_read', { stream_id: channelId, topic_name: '' })).status, 200)
      assert.equal(await refusal('/mark_topic_as_read', { topic_name: 't' }), "Missing 'stream_id' argument")
      assert.equal(await refusal('/mark_topic_as_read', { stream_id: channelId }), "Missing 'topic_name' argument")
      assert.equal(await refusal('/mark_stream_as_read', {}), "Missing 'stream_id' argument")
    })

    test('POST /mark_stream_as_read: all topics of this channel', async () => {
      const { reader, channelId, send, sendDirect, flagsOf, events } = await begin()
      const ids = [await send('x', 'a'), await send('x', 'b')]
      const direct = await sendDirect([reader.userId])
      await reader.must('POST', '/mark_stream_as_read', { stream_id: channelId })
      for (const id of ids) assert.ok((await flagsOf(id)).includes('read'))
      assert.ok(!(await flagsOf(direct)).includes('read'))
      const [event, ...more] = await events()
      assert.deepEqual([event.messages.slice(1), more], [ids, []])
      assert.deepEqual(event, added('read', event.messages))
    })

    test('POST /mark_all_as_read: everything, and later messages are unread again', async () => {
      const { reader, send, sendDirect, flagsOf, events } = await begin()
      const ids = [await send('x', 'a'), await send('x', 'b'), await sendDirect([reader.userId])]
      await change(reader, ids.slice(0, 1), 'add', 'read')
      assert.deepEqual(await reader.must('POST', '/mark_all_as_read'), { result: 'success', msg: '', complete: true })
      assert.equal((await unreadOf(reader)).count, 0)
      const event = (await events()).at(-1)
      assert.deepEqual([event.messages.slice(-2), event.all, event.op, event.flag], [ids.slice(1), true, 'add', 'read'])
      await reader.must('POST', '/mark_all_as_read')
      assert.equal((await events()).length, 2, 'nothing was unread any more')
      const next = await send()
      assert.ok(!(await flagsOf(next)).includes('read'))
      await change(reader, ids.slice(2), 'remove', 'read')
      const unread = await unreadOf(reader)
      assert.deepEqual(
        [unread.count, unread.pms[0].unread_message_ids, unread.streams[0].unread_message_ids],
        [2, ids.slice(2), [next]],
      )
    })
  })
})
