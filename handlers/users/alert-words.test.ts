import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const PATH = '/users/me/alert_words'

onEachDatabase('alert words', (dialect) => {
  const parley = sharedParley(dialect)
  const listen = (user: ApiClient, types: string[]) =>
    user.must('POST', '/register', { event_types: types, fetch_event_types: ['alert_words'] })
  const heard = async (user: ApiClient, { queue_id, last_event_id }: { queue_id: string; last_event_id: number }) =>
    (await user.must('GET', '/events', { queue_id, last_event_id, dont_block: true })).events

  test('added, listed, removed, in the first spelling and order; each change is told to their user (EV-ALERT-1)', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const [queue, others] = [await listen(user, ['alert_words']), await listen(other, ['alert_words'])]
    assert.deepEqual(queue.alert_words, [])
    const add = async (...alert_words: string[]) => (await user.must('POST', PATH, { alert_words })).alert_words
    assert.deepEqual(await add('lunch', ' New York ', '', 'LUNCH'), ['lunch', 'New York'])
    assert.deepEqual(await add('Lunch'), ['lunch', 'New York'])
    assert.deepEqual(await add('ß'), ['lunch', 'New York', 'ß'])
    assert.deepEqual((await user.must('GET', PATH)).alert_words, ['lunch', 'New York', 'ß'])
    const { alert_words } = await user.must('DELETE', PATH, { alert_words: ['SS', 'nothing', 'LUNCH'] })
    assert.deepEqual(alert_words, ['New York'])
    assert.deepEqual(
      (await heard(user, queue)).map((event: { alert_words: string[] }) => event.alert_words),
      [['lunch', 'New York'], ['lunch', 'New York', 'ß'], ['New York']],
    )
    assert.deepEqual(await heard(other, others), [])
    assert.deepEqual((await listen(user, [])).alert_words, ['New York'])
  })

  test('a word of more than 100 characters is named', async () => {
    const user = await (await parley()).newUser()
    const { status, body } = await user.post(PATH, { alert_words: ['x'.repeat(101)] })
    assert.deepEqual([status, body.msg], [400, 'alert_words[0] is too long (limit: 100 characters)'])
    assert.deepEqual((await user.must('POST', PATH, { alert_words: ['ΐ'.repeat(100)] })).alert_words.length, 1)
  })

  test('refuse more than 1,000 words', async () => {
    const user = await (await parley()).newUser()
    await user.must('POST', PATH, { alert_words: Array.from({ length: 1000 }, (_, index) => `word ${index}`) })
    assert.equal((await user.post(PATH, { alert_words: ['another'] })).body.msg, 'Too many alert words (maximum 1000)')
    assert.equal((await user.must('GET', PATH)).alert_words.length, 1000)
    assert.equal((await user.post(PATH, { alert_words: ['WORD 1'] })).status, 200)
  })

  test('flag has_alert_word for whoever receives the message, in event and history alike', async () => {
    const server = await parley()
    const [reader, stranger, sender] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const channel = server.unique('alert')
    await sender.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: channel }],
      principals: [reader.userId],
    })
    await sender.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel }] })
    for (const user of [reader, stranger]) await user.must('POST', PATH, { alert_words: ['soup'] })
    const queue = await reader.must('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
    const send = async (content: string, to: object = { type: 'channel', to: channel, topic: 't' }): Promise<number> =>
      (await sender.must('POST', '/messages', { ...to, content })).id
    const direct = { type: 'direct', to: [reader.userId] }
    const alerting = [await send('SOUP is ready'), await send('my *soup*!', direct)]
    const others = [await send('`soup` and soups'), await send('no', direct)]
    const flagged = (messages: { id: number; flags: string[] }[]) =>
      messages.filter((message) => message.flags.includes('has_alert_word')).map((message) => message.id)
    const events = await heard(reader, queue)
    assert.deepEqual(
      flagged(
        events.map((event: { message: { id: number }; flags: string[] }) => ({
          id: event.message.id,
          flags: event.flags,
        })),
      ),
      alerting,
    )
    const message_ids = [...alerting, ...others]
    assert.deepEqual(flagged((await reader.must('GET', '/messages', { message_ids })).messages), alerting)
    assert.deepEqual(flagged((await sender.must('GET', '/messages', { message_ids })).messages), [])
    assert.deepEqual(flagged((await stranger.must('GET', '/messages', { message_ids })).messages), [])
    await reader.must('DELETE', PATH, { alert_words: ['soup'] })
    const later = await send('soup again')
    assert.deepEqual(flagged((await reader.must('GET', '/messages', { message_ids: [later] })).messages), [])
  })
})
