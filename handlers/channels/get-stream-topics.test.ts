import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, type Parameters, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /users/me/{stream_id}/topics', (dialect) => {
  const parley = sharedParley(dialect)

  async function channelOf(people: readonly ApiClient[], parameters: Parameters = {}) {
    const name = (await parley()).unique('Topical')
    const principals = people.map((one) => one.userId)
    const [maker] = people
    if (!maker) throw new Error('nobody makes the channel')
    await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, ...parameters })
    const { stream_id } = await maker.must('GET', '/get_stream_id', { stream: name })
    const send = async (topic: string): Promise<number> =>
      (await maker.must('POST', '/messages', { type: 'channel', to: name, topic, content: 'x' })).id
    const topics = async (user: ApiClient, more: Parameters = {}) =>
      (await user.must('GET', `/users/me/${stream_id}/topics`, more)).topics
    return { name, send, topics }
  }

  test('newest first, each once in its newest spelling (TOPICS-4, TOPICS-11)', async () => {
    const user = await (await parley()).newUser()
    const { send, topics } = await channelOf([user])
    assert.deepEqual(await topics(user), [])
    await send('Soup')
    const salad = await send('salad')
    const soup = await send('SOUP')
    assert.deepEqual(await topics(user), [
      { name: 'SOUP', max_id: soup },
      { name: 'salad', max_id: salad },
    ])
  })

  test('the empty topic by its name or as it is (TOPICS-2, TOPICS-3)', async () => {
    const user = await (await parley()).newUser()
    const { send, topics } = await channelOf([user])
    const max_id = await send('')
    assert.deepEqual(await topics(user), [{ name: 'general chat', max_id }])
    assert.deepEqual(await topics(user, { allow_empty_topic_name: true }), [{ name: '', max_id }])
  })

  test('where older messages are hidden, only topics of messages that one received (TOPICS-6, TOPICS-7)', async () => {
    const server = await parley()
    const [member, late, bot] = [server.as('member'), await server.newUser(), server.as('bot')]
    for (const history_public_to_subscribers of [false, true]) {
      const { name, send, topics } = await channelOf([member], { invite_only: true, history_public_to_subscribers })
      const old = await send('old')
      const before = await send('both')
      const subscriptions = [{ name }]
      const principals = [late.userId, bot.userId]
      await member.must('POST', '/users/me/subscriptions', { subscriptions, principals })
      const hidden = history_public_to_subscribers
        ? [
            { name: 'both', max_id: before },
            { name: 'old', max_id: old },
          ]
        : []
      for (const user of [late, bot]) assert.deepEqual(await topics(user), hidden)
      const both = await send('Both')
      const fresh = await send('fresh')
      const seen = [
        { name: 'fresh', max_id: fresh },
        { name: 'Both', max_id: both },
      ]
      const all = [...seen, { name: 'old', max_id: old }]
      for (const user of [late, bot]) assert.deepEqual(await topics(user), history_public_to_subscribers ? all : seen)
      assert.deepEqual(await topics(member), all)
      // Messages received before unsubscribing stay visible; those sent while unsubscribed do not.
      await late.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
      await send('missed')
      await send('fresh')
      await member.must('POST', '/users/me/subscriptions', { subscriptions, principals: [late.userId] })
      if (!history_public_to_subscribers) assert.deepEqual(await topics(late), seen)
    }
  })
})
