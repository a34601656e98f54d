import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { listen, noticesIn, read, send, topicOf } from './edits-testing.ts'

const QUIET = { propagate_mode: 'change_all', send_notification_to_new_thread: false }
const LOUD = { propagate_mode: 'change_all', send_notification_to_old_thread: true }
type Entry = Record<string, unknown>

onEachDatabase('what people learn about a moved message', (dialect) => {
  const parley = sharedParley(dialect)

  /** Returns the edit history of a message, and checks that all operations agree on it. */
  const historyOf = async (client: ApiClient, id: number, channel: string, topic: string) => {
    const { edit_history = [] } = await read(client, id)
    const listed = (await topicOf(client, channel, topic)).find((one) => one.id === id) as Entry | undefined
    assert.deepEqual(listed?.edit_history ?? [], edit_history)
    const { message_history } = await client.must('GET', `/messages/${id}/history`)
    const places = ({ prev_stream, stream, prev_topic, topic, prev_content }: Entry) => ({
      ...(prev_stream !== undefined && { prev_stream }),
      ...(stream !== undefined && { stream }),
      ...(prev_topic !== undefined && { prev_topic }),
      ...(topic !== undefined && { topic }),
      ...(prev_content !== undefined && { prev_content }),
    })
    return {
      changes: edit_history.map(places),
      versions: message_history.map(places),
      contents: message_history.map(({ content }: Entry) => content),
    }
  }

  test('a later edit flags mentioned users who see it now, not those who saw it before', async () => {
    const server = await parley()
    const [writer, lost, kept] = [server.as('member'), server.as('member2'), server.as('moderator')]
    const { name: from } = await server.newChannel([writer, lost, kept])
    const to = await server.newChannel([writer, kept], { invite_only: true, history_public_to_subscribers: true })
    const id = await send(writer, 'nobody', { to: from, topic: 'open' })
    await writer.must('PATCH', `/messages/${id}`, { stream_id: to.id, ...QUIET })
    const queue = await listen(lost, ['update_message', 'update_message_flags', 'message'])
    const everybody = `@**|${lost.userId}** @**|${kept.userId}** @**topic**`
    await writer.must('PATCH', `/messages/${id}`, { content: everybody })
    assert.deepEqual(await queue(), [])
    const flagsOf = async (who: ApiClient) => (await read(who, id)).flags
    assert.deepEqual(await flagsOf(kept), ['mentioned'])
    const enter = () =>
      writer.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to.name }], principals: [lost.userId] })
    await enter()
    assert.deepEqual(await flagsOf(lost), ['read'], 'what was said when they did not see it')
    await writer.must('PATCH', `/messages/${id}`, { content: `${everybody}!` })
    assert.deepEqual(await flagsOf(lost), ['read', 'mentioned'], 'now they do')
    await lost.must('DELETE', '/users/me/subscriptions', { subscriptions: [to.name] })
    await writer.must('PATCH', `/messages/${id}`, { content: 'nobody' })
    await writer.must('PATCH', `/messages/${id}`, { content: everybody })
    await enter()
    assert.deepEqual(await flagsOf(lost), ['read'], 'nor after they had left')
  })

  test('DIFF-FORMER-PLACES: only readers of a channel learn what a message was there', async () => {
    const server = await parley()
    const [writer, reader] = [server.as('member'), server.as('member2')]
    const secret = await server.newChannel([writer], { invite_only: true, history_public_to_subscribers: true })
    const [first, last] = [await server.newChannel([writer]), await server.newChannel([writer])]
    const change = (values: Record<string, unknown>) => writer.must('PATCH', `/messages/${id}`, values)
    const id = await send(writer, 'one', { to: first.name, topic: 'open' })
    await change({ stream_id: secret.id, topic: 'takeover', ...QUIET })
    await change({ content: 'two' })
    await change({ topic: 'merger', ...QUIET })
    await change({ stream_id: last.id, topic: 'news', ...QUIET })
    await change({ topic: 'old news', content: 'three', ...QUIET })
    const [renamed, arrived] = [
      { prev_topic: 'news', topic: 'old news', prev_content: 'two' },
      { stream: last.id, topic: 'news' },
    ]
    const own = await historyOf(writer, id, last.name, 'old news')
    assert.deepEqual(own.changes, [
      renamed,
      { prev_stream: secret.id, ...arrived, prev_topic: 'merger' },
      { prev_topic: 'takeover', topic: 'merger' },
      { prev_content: 'one' },
      { prev_stream: first.id, stream: secret.id, prev_topic: 'open', topic: 'takeover' },
    ])
    assert.deepEqual(own.contents, ['one', 'one', 'two', 'two', 'two', 'three'])
    const others = await historyOf(reader, id, last.name, 'old news')
    assert.deepEqual(others.changes, [renamed, arrived])
    assert.deepEqual(others.versions, [{ topic: 'open' }, arrived, renamed])
    assert.deepEqual(others.contents, ['one', 'two', 'three'])
    await writer.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: secret.name }],
      principals: [reader.userId],
    })
    assert.deepEqual(await historyOf(reader, id, last.name, 'old news'), own)
  })

  test('G5: its readers in a channel are listed for readers of that channel only (DIFF-FORMER-PLACES)', async () => {
    const server = await parley()
    const [writer, inside] = [server.as('member'), server.as('member2')]
    const [both, outside, marking] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const { name: secret } = await server.newChannel([writer, inside, both], { invite_only: true })
    const open = await server.newChannel([writer, both, outside, marking])
    const id = await send(writer, 'x', { to: secret, topic: 'takeover' })
    const mark = (client: ApiClient) =>
      client.must('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [id] })
    for (const one of [inside, both]) await mark(one)
    await writer.must('PATCH', `/messages/${id}`, { stream_id: open.id, topic: 'news', ...QUIET })
    const unread = { op: 'remove', flag: 'read', messages: [id] }
    await marking.must('POST', '/messages/flags', unread)
    await mark(marking)
    const readers = async (client: ApiClient): Promise<number[]> =>
      (await client.must('GET', `/messages/${id}/read_receipts`)).user_ids
    const all = [inside, both, marking].map(({ userId }) => userId).toSorted((a, b) => a - b)
    assert.deepEqual(await readers(writer), all)
    assert.deepEqual(await readers(both), all)
    for (const one of [outside, marking]) assert.deepEqual(await readers(one), [marking.userId])
  })

  test('G5: a history too long for another entry stays behind (DIFF-EDIT-HISTORY)', async () => {
    const server = await parley()
    const [writer, reader] = [server.as('member'), server.as('member2')]
    const secret = await server.newChannel([writer], { invite_only: true, history_public_to_subscribers: true })
    const open = await server.newChannel([writer])
    const id = await send(writer, 'open', { to: secret.name, topic: 'takeover' })
    const former = { user_id: writer.userId, timestamp: 1, prev_content: 'secret', prev_rendered_content: '' }
    const long = JSON.stringify([{ ...former, prev_rendered_content: '<p>secret</p>'.repeat(160_000) }])
    await server.inDatabase(async (session) =>
      session.run('update message set edit_history = ? where id = ?', [long, id]),
    )
    const move = (values: object) => writer.must('PATCH', `/messages/${id}`, { ...values, ...QUIET })
    await move({ topic: 'merger' })
    assert.deepEqual((await historyOf(writer, id, secret.name, 'merger')).contents, ['secret', 'open'])
    await move({ stream_id: open.id, topic: 'news' })
    const arrived = { stream: open.id, topic: 'news' }
    assert.deepEqual((await historyOf(reader, id, open.name, 'news')).changes, [arrived])
    assert.deepEqual((await historyOf(reader, id, open.name, 'news')).contents, ['open', 'open'])
    const whole = { prev_stream: secret.id, ...arrived, prev_topic: 'merger' }
    assert.deepEqual((await historyOf(writer, id, open.name, 'news')).changes, [whole])
  })

  test('a late subscriber of a protected channel does not see its earlier contents', async () => {
    const server = await parley()
    const [writer, late, guest] = [server.as('member'), server.as('member2'), server.as('guest')]
    const closed = await server.newChannel([writer], { invite_only: true, history_public_to_subscribers: false })
    const open = await server.newChannel([writer, guest])
    const early = await send(writer, 'early', { to: closed.name, topic: 'takeover' })
    await writer.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: closed.name }],
      principals: [late.userId],
    })
    const seen = await send(writer, 'seen', { to: closed.name, topic: 'takeover' })
    for (const id of [early, seen]) {
      await writer.must('PATCH', `/messages/${id}`, {
        stream_id: open.id,
        topic: 'news',
        ...QUIET,
        propagate_mode: 'change_one',
      })
    }
    const arrived = { stream: open.id, topic: 'news' }
    const whole = { prev_stream: closed.id, ...arrived, prev_topic: 'takeover' }
    const of = async (client: ApiClient, id: number) => (await historyOf(client, id, open.name, 'news')).changes
    assert.deepEqual([await of(late, early), await of(late, seen)], [[arrived], [whole]])
    assert.deepEqual([await of(guest, early), await of(guest, seen)], [[arrived], [arrived]])
    assert.deepEqual(await of(writer, early), [whole])
    await server.as('owner').must('PATCH', '/realm', { message_edit_history_visibility_policy: 'moves' })
    assert.deepEqual([await of(guest, early), await of(writer, early)], [[arrived], [whole]])
    await server.as('owner').must('PATCH', '/realm', { message_edit_history_visibility_policy: 'all' })
  })

  test('DIFF-MOVE-NOTICES: a guest who follows one of two channels does not see the name of the other', async () => {
    const server = await parley()
    const [mover, guest] = [server.as('member'), server.as('guest')]
    const { name: from, id: fromId } = await server.newChannel([mover, guest])
    const { name: to, id: toId } = await server.newChannel([mover])
    const id = await send(mover, 'x', { to: from, topic: 'plans' })
    const who = `@_**Max Member|${mover.userId}**`
    await mover.must('PATCH', `/messages/${id}`, { stream_id: toId, topic: 'inside', ...LOUD })
    assert.deepEqual(await noticesIn(guest, from, 'plans'), [`${who} moved this topic to another channel.`])
    assert.deepEqual(await noticesIn(mover, to, 'inside'), [`${who} moved this topic here from #**${from}>plans**.`])
    await mover.must('PATCH', `/messages/${id}`, { stream_id: fromId, topic: 'back', ...LOUD })
    assert.deepEqual(
      (await noticesIn(guest, from, 'back')).at(-1),
      `${who} moved this topic here from another channel.`,
    )
    await mover.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }], principals: [guest.userId] })
    const known = await send(mover, 'x', { to: from, topic: 'known' })
    await mover.must('PATCH', `/messages/${known}`, { stream_id: toId, ...LOUD })
    assert.deepEqual(await noticesIn(guest, from, 'known'), [`${who} moved this topic to #**${to}>known**.`])
  })
})
