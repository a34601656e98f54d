import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, type Parameters, sharedParley, type TestServer } from '../../server/testing.ts'

const NOBODY = 1
const MODERATORS = 4
const KNOWING = { notification_settings_null: true, archived_channels: true }
const only = (...people: ApiClient[]) => ({ direct_members: people.map((one) => one.userId), direct_subgroups: [] })

interface Made {
  readonly server: TestServer
  readonly maker: ApiClient
  readonly name: string
  readonly id: number
  readonly path: string
}

onEachDatabase('PATCH /streams/{stream_id}', (dialect) => {
  const parley = sharedParley(dialect)

  async function made(parameters: Parameters = {}, maker?: ApiClient): Promise<Made> {
    const server = await parley()
    const by = maker ?? (await server.newUser())
    const { name, id } = await server.newChannel([by], parameters)
    return { server, maker: by, name, id, path: `/streams/${id}` }
  }

  const heard = (user: ApiClient, client_capabilities: object = KNOWING) =>
    user.listen(['stream', 'subscription', 'default_streams'], { client_capabilities })

  const refusal = async (user: ApiClient, path: string, parameters: Parameters) => {
    const { status, body } = await user.patch(path, parameters)
    return status === 200 ? 'done' : [status, body.code, body.msg]
  }
  const send = (user: ApiClient, to: number, topic = 'x') =>
    user.post('/messages', { type: 'channel', to, topic, content: 'x' })

  test('the event has derived fields: HTML on one line, the policy in its older form', async () => {
    const { maker, name, id, path } = await made()
    const hear = await heard(maker)
    const value = { direct_members: [], direct_subgroups: [MODERATORS] }
    const parameters = { description: 'Shapes\r\nand\n**colours** ', can_send_message_group: { new: value } }
    assert.equal(await refusal(maker, path, parameters), 'done')
    const update = { type: 'stream', op: 'update', stream_id: id, name }
    const rendered_description = '<p>Shapes and <strong>colours</strong></p>'
    assert.deepEqual(await hear(), [
      { ...update, property: 'description', value: 'Shapes and **colours**', rendered_description },
      { ...update, property: 'can_send_message_group', value: MODERATORS },
      { ...update, property: 'stream_post_policy', value: 4 },
    ])
  })

  test('people are told of a private channel that a group setting opens to them', async () => {
    const { server, maker, id, path } = await made({ invite_only: true, history_public_to_subscribers: true })
    const member = server.as('member')
    const { id: messageId } = (await send(maker, id)).body
    const hear = await heard(member)
    const change = (value: unknown) => refusal(maker, path, { can_subscribe_group: value })
    assert.equal(await change({ new: only(maker, member) }), 'done')
    const ops = async () => (await hear()).map(({ type, op }) => `${type} ${op}`)
    assert.deepEqual(await ops(), ['stream create', 'subscription peer_add'])
    assert.equal((await member.get(`/messages/${messageId}`)).status, 200)
    assert.equal(await change({ new: NOBODY }), 'done')
    assert.equal((await member.get(`/messages/${messageId}`)).status, 400)
    // Organization administrators who cannot read the channel cannot let anybody in, including themselves.
    const admin = server.as('admin')
    const denied = [400, 'BAD_REQUEST', 'Only those who may read a channel change who may.']
    for (const parameters of [
      { is_private: false },
      { history_public_to_subscribers: true },
      { can_subscribe_group: { new: only(admin) } },
      { can_add_subscribers_group: { new: only(admin) } },
    ]) {
      assert.deepEqual(await refusal(admin, path, parameters), denied)
    }
    assert.equal(await refusal(admin, path, { can_send_message_group: { new: MODERATORS } }), 'done')
  })

  test('no channel is public on the web (DIFF-WEB-PUBLIC)', async () => {
    const { server, path } = await made()
    const owner = server.as('owner')
    const refused = async (values: object) => String(await refusal(owner, path, { is_web_public: true, ...values }))
    assert.match(await refused({}), /Web-public channels are not enabled\./)
    assert.match(await refused({ is_private: true }), /Invalid parameters/)
    for (const call of ['/users/me/subscriptions', '/channels/create']) {
      const values = { name: 'Window', subscribers: [owner.userId], subscriptions: [{ name: 'Window' }] }
      const made = await owner.post(call, { ...values, is_web_public: true })
      assert.deepEqual([made.status, made.body.msg], [400, 'Web-public channels are not enabled.'])
      const hidden = await owner.post(call, { ...values, is_web_public: true, invite_only: true })
      assert.deepEqual([hidden.status, hidden.body.msg], [400, 'Invalid parameters'])
    }
    assert.equal((await owner.get('/get_stream_id', { stream: 'Window' })).status, 400)
    const everything = await owner.must('POST', '/register', { fetch_event_types: ['realm', 'realm_user'] })
    assert.equal(everything.server_web_public_streams_enabled, false)
    assert.equal(everything.can_create_web_public_streams, false)
  })

  test('default channels are public, and chosen by administrators', async () => {
    const { server, maker, path } = await made()
    const admin = server.as('admin')
    const [, , notTheirs] = await refusal(maker, path, { is_default_stream: true })
    assert.equal(notTheirs, 'You do not have permission to change default channels.')
    assert.equal(await refusal(admin, path, { is_default_stream: true }), 'done')
    const isPrivate = [400, 'BAD_REQUEST', 'A default channel cannot be private.']
    assert.deepEqual(await refusal(maker, path, { is_private: true }), isPrivate)
    assert.equal(await refusal(admin, path, { is_default_stream: false }), 'done')
    assert.equal(await refusal(maker, path, { is_private: true }), 'done')
    assert.deepEqual(await refusal(server.as('owner'), path, { is_default_stream: true }), isPrivate)
  })

  test('a restored channel has nothing unread, and is announced once (STATE-OTHER-1)', async () => {
    const { server, maker, name, id, path } = await made()
    const reader = await server.newUser()
    await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [reader.userId] })
    await send(maker, id)
    await server.as('admin').must('DELETE', path)
    const [hear, older] = [await heard(reader), await heard(reader, { notification_settings_null: true })]
    for (const is_archived of [true, false, false]) {
      assert.equal(await refusal(maker, path, { is_archived }), 'done')
      assert.equal((await send(reader, id)).status, is_archived ? 400 : 200)
    }
    assert.equal((await hear()).length, 1)
    const kinds = (await older()).map(({ type, op }) => `${type} ${op}`)
    assert.deepEqual(kinds, ['stream create', 'subscription add', 'subscription peer_add'])
    const { unread_msgs: unread } = await reader.must('POST', '/register', {
      fetch_event_types: ['message', 'update_message_flags'],
    })
    const ours = unread.streams.filter((one: { stream_id: number }) => one.stream_id === id)
    assert.deepEqual(ours, [])
  })

  test('clients without archived channels are told nothing of one', async () => {
    for (const invite_only of [false, true]) {
      const { server, maker, name, id, path } = await made({ invite_only })
      const [member, leaves, owner] = [await server.newUser(), await server.newUser(), server.as('owner')]
      const principals = [leaves.userId, member.userId]
      await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
      await server.as('admin').must('DELETE', path)
      const queues = await Promise.all([maker, member].map((one) => heard(one, { notification_settings_null: true })))
      await owner.must('DELETE', `/users/${leaves.userId}`)
      await owner.must('POST', `/users/${leaves.userId}/reactivate`)
      await leaves.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
      const muted = { stream_id: id, property: 'is_muted', value: true }
      await member.must('POST', '/users/me/subscriptions/properties', { subscription_data: [muted] })
      await member.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
      for (const role of [600, 400, 200, 400]) await owner.must('PATCH', `/users/${member.userId}`, { role })
      for (const value of [only(maker, member), NOBODY]) {
        assert.equal(await refusal(maker, path, { can_subscribe_group: { new: value } }), 'done')
      }
      for (const hear of queues) {
        const told = (await hear()).map(
          ({ stream_id, stream_ids = [], streams = [], subscriptions = [], ...event }) => {
            const ids = [...streams, ...subscriptions].map((one: { stream_id: number }) => one.stream_id)
            return { ...event, ids: [stream_id, ...stream_ids, ...ids] }
          },
        )
        assert.deepEqual(
          told.filter(({ ids }) => ids.includes(id)),
          [],
        )
      }
    }
  })
})
