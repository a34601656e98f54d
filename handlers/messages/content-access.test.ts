import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '../../db/database.ts'
import { MessagePageReader } from '../../db/repositories/message-pages.ts'
import { type ApiClient, onEachDatabase, sharedParley, type TestServer } from '../../server/testing.ts'

const MODERATORS = 4

/** Level 354: can_subscribe_group and can_add_subscribers_group give access to the content of private channels. */
onEachDatabase('content of a private channel by its groups (level 354, MSG-GET-8, MSG-GET-9)', (dialect) => {
  const parley = sharedParley(dialect)
  const only = (...people: ApiClient[]) => ({
    direct_members: people.map(({ userId }) => userId),
    direct_subgroups: [],
  })

  async function makePrivate(server: TestServer, maker: ApiClient, settings: object): Promise<string> {
    return (await server.newChannel([maker], { invite_only: true, ...settings })).name
  }
  const found = async (user: ApiClient, narrow: unknown[]): Promise<number[]> =>
    (await user.newest(narrow)).map(({ id }) => id)
  const refusal = ({ status, body }: { status: number; body: { code: string; msg: string } }) => [status, body.msg]

  for (const setting of ['can_subscribe_group', 'can_add_subscribers_group']) {
    test(`${setting}: reads, marks, sends and edits without following, and nobody else does`, async () => {
      const server = await parley()
      const [maker, named] = [await server.newUser(), await server.newUser()]
      const [other, guest] = [await server.newUser(), server.as('guest')]
      const channel = await makePrivate(server, maker, {
        history_public_to_subscribers: true,
        [setting]: only(named, guest),
      })
      const id = await maker.send(channel, 'launch on **friday**')
      const narrow = [['channel', channel]]
      const asked = { narrow, anchor: 'newest', num_before: 9, num_after: 0 }

      await named.must('GET', `/messages/${id}`)
      await named.must('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'collapsed' })
      assert.ok((await named.must('GET', `/messages/${id}`)).message.flags.includes('collapsed'))
      const own = await named.send(channel, 'soon')
      await named.must('PATCH', `/messages/${own}`, { content: 'very soon' })
      for (const narrow of [[['channel', channel]], [{ operator: 'with', operand: id }]]) {
        assert.deepEqual(await found(named, narrow), [id, own])
      }
      assert.deepEqual(await found(named, [...narrow, ['search', 'friday']]), [id])

      for (const stranger of [other, guest]) {
        assert.deepEqual(refusal(await stranger.get(`/messages/${id}`)), [400, 'Invalid message(s)'])
        assert.equal((await stranger.get('/messages', asked)).body.code, 'BAD_NARROW')
      }
    })
  }

  test('a role group counts like its members, at the time of the request', async () => {
    const server = await parley()
    const [maker, user, owner] = [await server.newUser(), await server.newUser(), server.as('owner')]
    const channel = await makePrivate(server, maker, {
      history_public_to_subscribers: true,
      can_subscribe_group: MODERATORS,
    })
    const id = await maker.send(channel, 'for moderators')
    const status = async () => (await user.get(`/messages/${id}`)).status
    assert.equal(await status(), 400)
    await owner.must('PATCH', `/users/${user.userId}`, { role: 300 })
    assert.equal(await status(), 200)
    await owner.must('PATCH', `/users/${user.userId}`, { role: 400 })
    assert.equal(await status(), 400)
  })

  test("what one received there before one left counts as one's own when its topic is marked as read (READ-7)", async () => {
    const server = await parley()
    const [maker, former, never] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const channel = await makePrivate(server, maker, { can_subscribe_group: only(former, never) })
    const subscriptions = [{ name: channel }]
    await maker.must('POST', '/users/me/subscriptions', { subscriptions, principals: [former.userId] })
    await maker.send(channel, 'received')
    await former.must('DELETE', '/users/me/subscriptions', { subscriptions: [channel] })
    const { stream_id } = await maker.must('GET', '/get_stream_id', { stream: channel })
    const mark = (user: ApiClient) => user.post('/mark_topic_as_read', { stream_id, topic_name: 't' })
    assert.equal((await mark(former)).status, 200)
    assert.deepEqual(refusal(await mark(never)), [400, "No such topic 't'"])
  })

  test('protected history shows received messages only, and is found without naming the channel (MSG-GET-9)', async () => {
    const server = await parley()
    const [maker, named, former] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const channel = await makePrivate(server, maker, {
      history_public_to_subscribers: false,
      can_subscribe_group: only(named),
    })
    const before = await maker.send(channel, 'before')
    const subscriptions = [{ name: channel }]
    const principals = [named.userId, former.userId]
    const quiet = { send_new_subscription_messages: false }
    await maker.must('POST', '/users/me/subscriptions', { subscriptions, principals, ...quiet })
    const during = await maker.send(channel, 'during')
    for (const user of [named, former])
      await user.must('DELETE', '/users/me/subscriptions', { subscriptions: [channel] })
    const afterwards = await maker.send(channel, 'after')

    const ids = [before, during, afterwards]
    const readableBy = async (user: ApiClient) => {
      const answers = await Promise.all(ids.map((id) => user.get(`/messages/${id}`)))
      return ids.filter((_, index) => answers[index]?.status === 200)
    }
    assert.deepEqual(await readableBy(named), [during])
    assert.deepEqual(await found(named, [['channel', channel]]), [during])
    assert.deepEqual(await found(named, [{ operator: 'with', operand: during }]), [during])
    assert.deepEqual(await found(named, [{ operator: 'sender', operand: maker.userId }]), [during])
    assert.deepEqual(await found(named, []), [during])
    // Messages that they may not read are not counted either.
    for (const term of [
      ['channel', channel],
      ['with', during],
    ] as const) {
      const first = { anchor: 'oldest', num_before: 0, num_after: 1, narrow: [{ operator: term[0], operand: term[1] }] }
      const { messages } = await named.must('GET', '/messages', first)
      assert.deepEqual(
        messages.map(({ id }: { id: number }) => id),
        [during],
        term[0],
      )
    }
    assert.deepEqual(await readableBy(former), [])
    assert.deepEqual(await found(former, [{ operator: 'sender', operand: maker.userId }]), [])
  })

  test('received messages that are no longer readable do not hide older ones: in a private channel, and for a guest in a public one', async () => {
    const server = await parley()
    const [maker, former, guest] = [await server.newUser(), await server.newUser(), await server.newUser()]
    await server.as('owner').must('PATCH', `/users/${guest.userId}`, { role: 600 })
    for (const [user, invite_only] of [
      [former, true],
      [guest, false],
    ] as const) {
      const { name } = await server.newChannel([maker, user], { invite_only })
      const id = await user.send([user], 'note')
      await maker.send(name, 'received')
      await user.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
      const [newest] = await user.newest([], { num_before: 1 })
      assert.equal(newest.id, id)
    }
  })

  test('readers of a message who received or marked it are told of its changes', async () => {
    const server = await parley()
    const maker = await server.newUser()
    const [former, marker] = [await server.newUser(), await server.newUser()]
    const [reader, gone] = [await server.newUser(), await server.newUser()]
    const channel = await makePrivate(server, maker, {
      history_public_to_subscribers: true,
      can_subscribe_group: only(former, marker, reader),
    })
    const subscriptions = [{ name: channel }]
    const principals = [former.userId, gone.userId]
    await maker.must('POST', '/users/me/subscriptions', { subscriptions, principals })
    const id = await maker.send(channel, 'first')
    for (const user of [former, gone]) {
      await user.must('DELETE', '/users/me/subscriptions', { subscriptions: [channel] })
    }
    await marker.must('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    const people = [former, marker, reader, gone]
    const queues = await Promise.all(people.map((user) => user.listen(['reaction', 'update_message'])))
    await maker.must('POST', `/messages/${id}/reactions`, { emoji_name: 'car' })
    await maker.must('PATCH', `/messages/${id}`, { content: 'second' })
    const told = await Promise.all(queues.map(async (heard) => (await heard()).map(({ type }) => type)))
    const both = ['reaction', 'update_message']
    assert.deepEqual(told, [both, both, [], []])
  })

  test('the groups are at least as new as the messages (several processes)', async (t) => {
    const server = await parley()
    const [maker, named] = [await server.newUser(), await server.newUser()]
    const settings = { history_public_to_subscribers: true, can_subscribe_group: only(named) }
    const channel = await makePrivate(server, maker, settings)
    const id = await maker.send(channel)
    const steps: string[] = []
    const follow = (prototype: object, method: string): void => {
      const { [method]: original } = prototype as Record<string, (...args: unknown[]) => unknown>
      t.mock.method(prototype as Record<string, () => unknown>, method, function (this: object, ...args: unknown[]) {
        // A timer brings the server up to date, too.
        if (!new Error('called from').stack?.includes('listOnTimeout')) steps.push(method)
        return original?.apply(this, args)
      })
    }
    follow(Database.prototype, 'upToDate')
    follow(MessagePageReader.prototype, 'heads')
    assert.deepEqual(await found(named, [['channel', channel]]), [id])
    assert.deepEqual(steps.slice(-2), ['heads', 'upToDate'])
  })
})
