import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('PATCH /users/{user_id} and PATCH /users/{email}', (dialect) => {
  const parley = sharedParley(dialect)
  const change = (actor: ApiClient, user: number | string, parameters: object) =>
    actor.request('PATCH', `/users/${encodeURIComponent(user)}`, { ...parameters })
  const refusal = async (actor: ApiClient, user: number | string, parameters: object) => {
    const { status, body } = await change(actor, user, parameters)
    return [status, body.code, body.msg]
  }
  const BAD = (message: string) => [400, 'BAD_REQUEST', message]

  test('whoever is no administrator is told that, whether or not the user exists (DIFF-PRINCIPAL)', async () => {
    const server = await parley()
    for (const id of [server.as('member2').userId, 'nobody@parley.example']) {
      const refused = await refusal(server.as('moderator'), id, { full_name: 'No Name' })
      assert.deepEqual(refused, [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'])
    }
    for (const id of [99_999, 'nobody@parley.example']) {
      assert.deepEqual(await refusal(server.as('admin'), id, { full_name: 'No Name' }), BAD('No such user'))
    }
  })

  test('of two owners who take the role from each other, one remains', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const only = 'The owner permission cannot be removed from the only organization owner.'
    assert.deepEqual(await refusal(owner, owner.userId, { role: 200 }), BAD(only))
    await change(owner, user.userId, { role: 100 })
    const answers = await Promise.all([
      change(user, owner.userId, { role: 200 }),
      change(owner, user.userId, { role: 200 }),
    ])
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const stays = answers[0]?.status === 200 ? user : owner
    await change(stays, owner.userId, { role: 100 })
    await change(owner, user.userId, { role: 400 })
  })

  test('what one may see follows the role at the position of each event', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const create = async (invite_only = false): Promise<string> => {
      const name = server.unique('sight')
      await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only })
      return name
    }
    const idOf = async (name: string): Promise<number> =>
      (await owner.must('GET', '/users/me/subscriptions')).subscriptions.find(
        (one: { name: string }) => one.name === name,
      ).stream_id
    const [open, hidden] = [await create(), await create(true)]
    const [openId, hiddenId] = [await idOf(open), await idOf(hidden)]
    const say = (content: string) =>
      owner.must('POST', '/messages', { type: 'channel', to: openId, topic: 't', content })
    const queue = await user.listen(['message', 'stream', 'subscription'], { all_public_streams: true })
    await say('to a member')
    await change(owner, user.userId, { role: 600 })
    await say('to a guest')
    await create()
    await change(owner, user.userId, { role: 400 })
    await change(owner, user.userId, { role: 200 })
    await say('to an administrator')
    const events = await queue()
    const contents = events.filter(({ type }: { type: string }) => type === 'message')
    assert.deepEqual(
      contents.map((event: { message: { content: string } }) => event.message.content),
      ['to a member', 'to an administrator'],
    )
    const isOfSight = ({ type, op }: { type: string; op?: string }) => type === 'stream' && op !== 'update'
    const ofChannels = events.filter(isOfSight)
    assert.deepEqual(
      ofChannels.map((event: { op: string; stream_ids?: number[]; streams: { stream_id: number }[] }) => {
        const ids = event.streams.map((one) => one.stream_id)
        if (event.stream_ids) assert.deepEqual(ids, event.stream_ids)
        return [event.op, ids.includes(openId), ids.includes(hiddenId)]
      }),
      [
        ['delete', true, false],
        ['create', true, false],
        ['create', false, true],
      ],
    )
    const peers = events.filter(
      ({ type, stream_ids }: { type: string; stream_ids?: number[] }) =>
        type === 'subscription' && stream_ids?.includes(openId),
    )
    assert.deepEqual(peers, [{ type: 'subscription', op: 'peer_add', stream_ids: [openId], user_ids: [owner.userId] }])
    assert.equal((await user.must('GET', '/users/me')).is_admin, true)
  })
})
