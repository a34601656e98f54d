import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /messages and visibility policies', (dialect) => {
  const parley = sharedParley(dialect)

  const send = (sender: ApiClient, to: string, topic: string, content = 'x') =>
    sender.must('POST', '/messages', { type: 'channel', to, topic, content })
  const policies = async (user: ApiClient): Promise<[string, number][]> =>
    (await user.must('POST', '/register', { fetch_event_types: ['user_topic'] })).user_topics.map(
      (one: { topic_name: string; visibility_policy: number }) => [one.topic_name, one.visibility_policy],
    )

  test('sending to a muted channel unmutes the topic; bots have no policies', async () => {
    const server = await parley()
    const [user, bot] = [await server.newUser(), server.as('bot')]
    const { name, id: stream_id } = await server.newChannel([user, bot])
    assert.equal((await send(bot, name, 'soup')).automatic_new_visibility_policy, undefined)
    await user.must('PATCH', `/users/me/subscriptions/${stream_id}`, { property: 'is_muted', value: true })
    assert.equal((await send(user, name, 'soup')).automatic_new_visibility_policy, 2)
    assert.equal((await send(user, name, 'Soup')).automatic_new_visibility_policy, undefined)
    assert.deepEqual(await policies(user), [['soup', 2]])
  })

  test('who reacts or votes takes part in the topic (setting 1), and sends nothing (setting 2)', async () => {
    const server = await parley()
    const author = await server.newUser()
    const { name } = await server.newChannel([author])
    const { id } = await send(author, name, 'soup', '/poll Hot?\nYes')
    const vote = { type: 'vote', key: 'canned,0', vote: 1 }
    const content = JSON.stringify(vote)
    const deeds: ((user: ApiClient) => Promise<unknown>)[] = [
      (user) => user.must('POST', `/messages/${id}/reactions`, { emoji_name: 'octopus' }),
      (user) => user.must('POST', '/submessage', { message_id: id, msg_type: 'widget', content }),
    ]
    for (const deed of deeds) {
      for (const [setting, expected] of [
        [1, [['soup', 3]]],
        [2, []],
      ] as const) {
        const user = await server.newUser()
        await user.must('PATCH', '/settings', { automatically_follow_topics_policy: setting })
        const queue = await user.listen(['user_topic', 'reaction'])
        await deed(user)
        assert.deepEqual(await policies(user), expected)
        const types = (await queue()).map(({ type }) => type)
        assert.equal(types[0] === 'user_topic', setting === 1, 'told before the reaction')
      }
    }
  })

  test('a mentioned user follows the topic unless they mute it; not in direct messages', async () => {
    const server = await parley()
    const [sender, one] = [await server.newUser(), await server.newUser()]
    const [two, stranger] = [await server.newUser(), await server.newUser()]
    const { name, id: stream_id } = await server.newChannel([sender, one, two])
    await two.must('POST', '/user_topics', { stream_id, topic: 'cake', visibility_policy: 1 })
    const mentions = [one, two, stranger].map((user) => `@**|${user.userId}**`).join(' ')
    const { id } = await send(sender, name, 'Cake', mentions)
    await sender.must('POST', '/messages', { type: 'direct', to: [two.userId], content: mentions })
    assert.deepEqual(await policies(one), [['Cake', 3]])
    assert.deepEqual(await policies(two), [['cake', 1]])
    assert.deepEqual(await policies(stranger), [])
    const { message } = await stranger.must('GET', `/messages/${id}`)
    assert.deepEqual(message.flags, ['read', 'historical'], 'who does not receive it is not mentioned')
  })

  test('a bot is sent mentions in a public channel without a subscription, and their changes', async () => {
    const server = await parley()
    const [sender, follower] = [await server.newUser(), await server.newUser()]
    const [bot, guest] = [await server.newBot(sender), await server.newBot(sender)]
    await server.as('owner').must('PATCH', `/users/${guest.userId}`, { role: 600 })
    const [open, closed] = [
      await server.newChannel([sender, follower]),
      await server.newChannel([sender], { invite_only: true }),
    ]
    const queues = await Promise.all(
      [bot, guest, follower].map((one) => one.listen(['message', 'update_message', 'delete_message'])),
    )
    const watching = await (await server.newUser()).listen(['message'], { all_public_streams: true })
    const content = [bot, guest].map((one) => `@**|${one.userId}**`).join(' ')
    await send(sender, closed.name, 'private', content)
    await send(sender, open.name, 'public', 'of nobody')
    const { id } = await send(sender, open.name, 'public', content)
    await sender.must('PATCH', `/messages/${id}`, { content: `${content}, please` })
    const { message } = await bot.must('GET', `/messages/${id}`)
    assert.deepEqual(message.flags, ['mentioned', 'historical'])
    assert.deepEqual(
      (await bot.newest([{ operator: 'is', operand: 'mentioned' }])).map((one) => one.id),
      [id],
    )
    await server.as('owner').must('DELETE', `/messages/${id}`)
    await send(sender, open.name, 'public', 'the last')
    const heard = await queues[2]?.until((all) => all.length >= 5)
    const [ofBot, ofGuest] = [await queues[0]?.(), await queues[1]?.()]
    assert.deepEqual(
      ofBot?.map(({ type, flags, message_id, message: sent }) => [type, sent?.id ?? message_id, flags]),
      [
        ['message', id, ['mentioned', 'historical']],
        ['update_message', id, ['mentioned', 'historical']],
        ['delete_message', id, undefined],
      ],
    )
    assert.deepEqual(ofGuest, [])
    assert.deepEqual((await watching())[1]?.flags, ['read', 'historical'])
    assert.ok(
      heard?.every(({ flags = [] }) => flags.length === 0),
      'those who follow are not mentioned',
    )
  })

  test('sending to a muted topic that one started follows it; older clients are told that it is no longer muted', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { name, id: stream_id } = await server.newChannel([user])
    await user.must('POST', '/user_topics', { stream_id, topic: 'quiet', visibility_policy: 1 })
    const [heard, heardInOrder] = [await user.listen(['muted_topics']), await user.listen(['user_topic', 'message'])]
    assert.equal((await send(user, name, 'Quiet')).automatic_new_visibility_policy, 3)
    assert.deepEqual(await heard(), [{ type: 'muted_topics', muted_topics: [] }])
    assert.deepEqual(
      (await heardInOrder()).map(({ type }: { type: string }) => type),
      ['user_topic', 'message'],
    )
  })
})
