import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, type Parameters, sharedParley } from '../../server/testing.ts'

onEachDatabase('one channel', (dialect) => {
  const parley = sharedParley(dialect)

  async function made(maker: ApiClient, parameters: Parameters = {}): Promise<{ name: string; id: number }> {
    const name = (await parley()).unique('Single')
    await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...parameters })
    return { name, id: (await maker.must('GET', '/get_stream_id', { stream: name.toUpperCase() })).stream_id }
  }

  test('by id and by name: the same as in the list', async () => {
    const server = await parley()
    const member = server.as('member')
    const { name, id } = await made(member)
    const { stream } = await member.must('GET', `/streams/${id}`)
    const { streams } = await member.must('GET', '/streams')
    assert.deepEqual(
      stream,
      streams.find((one: { name: string }) => one.name === name),
    )
  })

  test('its subscribers, and whether somebody is one', async () => {
    const server = await parley()
    const [member, other, guest] = [server.as('member'), server.as('member2'), server.as('guest')]
    const { id } = await made(member, { principals: [other.userId, member.userId] })
    const { subscribers } = await server.as('admin').must('GET', `/streams/${id}/members`)
    assert.deepEqual(subscribers, [member.userId, other.userId])
    const status = async (user: ApiClient) =>
      (await other.must('GET', `/users/${user.userId}/subscriptions/${id}`)).is_subscribed
    assert.deepEqual([await status(member), await status(guest)], [true, false])
    const unknown = await other.get(`/users/2000000000/subscriptions/${id}`)
    assert.deepEqual([unknown.status, unknown.body.msg], [400, 'No such user'])
  })

  test('one that must not be known answers like one that is not there, everywhere', async () => {
    const server = await parley()
    const [member, other, guest] = [server.as('member'), server.as('member2'), server.as('guest')]
    const hidden = await made(member, { invite_only: true })
    const open = await made(member)
    const nothing = { id: 2_000_000_000, name: 'no such channel' }
    const requests = ({ id, name }: { id: number; name: string }): [string, string, Parameters][] => [
      ['GET', `/streams/${id}`, {}],
      ['GET', `/streams/${id}/members`, {}],
      ['GET', `/users/${member.userId}/subscriptions/${id}`, {}],
      ['GET', `/users/me/${id}/topics`, {}],
      ['GET', '/get_stream_id', { stream: name }],
      ['DELETE', `/streams/${id}`, {}],
      ['DELETE', '/users/me/subscriptions', { subscriptions: [name] }],
    ]
    for (const [user, channel] of [
      [other, hidden],
      [guest, hidden],
      [guest, open],
    ] as const) {
      const answers = async (of: { id: number; name: string }) =>
        Promise.all(
          requests(of).map(async ([method, path, parameters]) => {
            const { status, body } = await user.request(method, path, parameters)
            return [status, JSON.stringify(body).replaceAll(of.name, '*')]
          }),
        )
      const absent = await answers(nothing)
      assert.ok(absent.every(([status]) => status === 400))
      assert.deepEqual(await answers(channel), absent)
    }
  })

  test('the channels that somebody follows, as far as one may know of them (level 440)', async () => {
    const server = await parley()
    const [user, other, admin] = [await server.newUser(), await server.newUser(), server.as('admin')]
    const [open, closed] = [await made(user), await made(user, { invite_only: true })]
    const seen = async (viewer: ApiClient) =>
      (await viewer.must('GET', `/users/${user.userId}/channels`)).subscribed_channel_ids
    assert.deepEqual(await seen(user), [open.id, closed.id])
    assert.deepEqual(await seen(admin), [open.id, closed.id])
    assert.deepEqual(await seen(other), [open.id])
    assert.deepEqual(await seen(server.as('guest')), [])
    assert.equal((await other.get('/users/2000000000/channels')).body.msg, 'No such user')
  })

  test('an administrator knows of a private channel and does not read it', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const { id } = await made(server.as('member'), { invite_only: true })
    assert.equal((await admin.get(`/streams/${id}`)).status, 200)
    assert.equal((await admin.get(`/streams/${id}/members`)).status, 200)
    const { status, body } = await admin.get(`/users/me/${id}/topics`)
    assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'Invalid channel ID'])
  })
})
