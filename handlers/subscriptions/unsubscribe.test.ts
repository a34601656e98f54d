import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, type Parameters, sharedParley } from '../../server/testing.ts'

type Events = { type: string; op?: string; [field: string]: unknown }[]

/** Registers, and returns a function that fetches the events since. */
async function register(client: ApiClient, parameters: Parameters = {}): Promise<() => Promise<Events>> {
  const wanted = { fetch_event_types: [], client_capabilities: { notification_settings_null: true }, ...parameters }
  const { queue_id } = await client.must('POST', '/register', wanted)
  return async () => (await client.must('GET', '/events', { queue_id, dont_block: true })).events
}
const kinds = (events: Events) => events.map((event) => `${event.type} ${event.op}`)

onEachDatabase('DELETE /users/me/subscriptions', (dialect) => {
  const parley = sharedParley(dialect)

  /** Creates a channel with these subscribers, owned by the first. @returns its name */
  async function channelOf(people: readonly ApiClient[], parameters: Parameters = {}): Promise<string> {
    const name = (await parley()).unique('Left')
    const [maker] = people
    if (!maker) throw new Error('nobody makes the channel')
    const principals = people.map((one) => one.userId)
    await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, ...parameters })
    return name
  }
  const leave = (client: ApiClient, names: readonly string[], parameters: Parameters = {}) =>
    client.delete('/users/me/subscriptions', { subscriptions: names, ...parameters })
  const idOf = async (client: ApiClient, stream: string): Promise<number> =>
    (await client.must('GET', '/get_stream_id', { stream })).stream_id

  describe('others', () => {
    test('administrators, who made the channel, and whom its settings name (SUB-FIELD-46)', async () => {
      const server = await parley()
      const [maker, victim, trusted] = [server.as('member'), await server.newUser(), await server.newUser()]
      const can_remove_subscribers_group = { direct_members: [trusted.userId], direct_subgroups: [] }
      for (const actor of [server.as('admin'), maker, trusted]) {
        const name = await channelOf([maker, victim], { can_remove_subscribers_group })
        assert.deepEqual((await leave(actor, [name], { principals: [victim.userId] })).body.removed, [name])
      }
      const name = await channelOf([maker, victim])
      for (const actor of [server.as('moderator'), server.as('member2'), victim]) {
        const { status, body } = await leave(actor, [name], { principals: [maker.email, victim.email] })
        assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'Insufficient permission'])
      }
    })

    test('an administrator also from a private channel that they do not follow', async () => {
      const server = await parley()
      const [member, victim] = [server.as('member'), await server.newUser()]
      const name = await channelOf([member, victim], { invite_only: true })
      assert.equal((await leave(server.as('admin'), [name], { principals: [victim.userId] })).status, 200)
      assert.deepEqual(
        (await victim.get('/get_stream_id', { stream: name })).body.msg,
        `Invalid channel name '${name}'`,
      )
    })

    test('a bot by its owner, and by nobody else', async () => {
      const server = await parley()
      const [owner, bot] = [server.as('owner'), server.as('bot')]
      const name = await channelOf([server.as('member'), bot])
      assert.equal((await leave(server.as('member2'), [name], { principals: [bot.userId] })).status, 400)
      assert.deepEqual((await leave(owner, [name], { principals: [bot.userId] })).body.removed, [name])
    })
  })

  describe('events', () => {
    test('a public channel: its user loses it, the others lose a peer, guests lose sight', async () => {
      const server = await parley()
      const [member, guest, watcher] = [server.as('member'), server.as('guest'), server.as('member2')]
      const name = await channelOf([member, guest])
      const stream_id = await idOf(member, name)
      const [ofMember, ofGuest, ofWatcher] = [await register(member), await register(guest), await register(watcher)]
      await leave(member, [name])
      assert.deepEqual(kinds(await ofMember()), ['subscription remove'])
      assert.deepEqual((await ofMember())[0]?.subscriptions, [{ stream_id, name }])
      assert.deepEqual(kinds(await ofGuest()), ['subscription peer_remove'])
      await leave(guest, [name])
      assert.deepEqual(kinds(await ofGuest()), ['subscription peer_remove', 'subscription remove', 'stream delete'])
      const vanished = (await ofGuest())[2]
      assert.deepEqual([vanished?.stream_ids, vanished?.streams], [[stream_id], [{ stream_id }]])
      const peers = await ofWatcher()
      assert.deepEqual(kinds(peers), ['subscription peer_remove', 'subscription peer_remove'])
      assert.deepEqual([peers[0]?.stream_ids, peers[0]?.user_ids], [[stream_id], [member.userId]])
      assert.deepEqual(kinds(await ofMember()), ['subscription remove', 'subscription peer_remove'])
    })

    test('a private channel: it vanishes, but not for administrators and who made it', async () => {
      const server = await parley()
      const [maker, other, admin] = [server.as('member'), server.as('member2'), server.as('admin')]
      const name = await channelOf([maker, other, admin], { invite_only: true })
      const queues = [await register(maker), await register(other), await register(admin)]
      await leave(admin, [name], { principals: [maker.userId, other.userId, admin.userId] })
      const [ofMaker, ofOther, ofAdmin] = await Promise.all(queues.map(async (events) => kinds(await events())))
      assert.deepEqual(ofMaker, ['subscription remove', 'subscription peer_remove'])
      assert.deepEqual(ofOther, ['subscription remove', 'stream delete'])
      assert.deepEqual(ofAdmin, ['subscription remove', 'subscription peer_remove'])
    })

    test('unsubscribed between two messages: the first arrives and not the second, also when fetched later', async () => {
      const server = await parley()
      const [sender, user] = [server.as('member'), await server.newUser()]
      for (const invite_only of [false, true]) {
        const name = await channelOf([sender, user], { invite_only, history_public_to_subscribers: true })
        const send = async (content: string): Promise<number> =>
          (await sender.must('POST', '/messages', { type: 'channel', to: name, topic: 't', content })).id
        const parked = await register(user, { event_types: ['message'] })
        const late = await register(user, { event_types: ['message'] })
        const first = await send('first')
        const ids = (events: Events) => events.map((event) => (event as { message?: { id: number } }).message?.id)
        assert.deepEqual(ids(await parked()), [first])
        await leave(user, [name])
        await send('second')
        await user.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: server.unique('Else') }] })
        assert.deepEqual([ids(await parked()), ids(await late())], [[first], [first]])
        const { messages } = await user.must('GET', '/messages', { anchor: 'newest', num_before: 9, num_after: 0 })
        // Nothing in the private channel can be read any more; in the public one, what was received.
        assert.deepEqual(
          messages.flatMap((one: { id: number; stream_id?: number }) => (one.id >= first ? [one.id] : [])),
          invite_only ? [] : [first],
        )
      }
    })

    test('whoever comes back keeps their settings, and gets what is sent from then on', async () => {
      const server = await parley()
      const [sender, user] = [server.as('member'), await server.newUser()]
      const name = await channelOf([sender, user], { invite_only: true })
      const stream_id = await idOf(user, name)
      await user.must('PATCH', `/users/me/subscriptions/${stream_id}`, { property: 'color', value: '#0000ff' })
      const send = async (content: string): Promise<number> =>
        (await sender.must('POST', '/messages', { type: 'channel', to: name, topic: 't', content })).id
      const first = await send('first')
      await leave(user, [name])
      const missed = await send('missed')
      await sender.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [user.userId] })
      const last = await send('last')
      const [own] = (await user.must('GET', '/users/me/subscriptions')).subscriptions
      assert.deepEqual([own.name, own.color], [name, '#0000ff'])
      const statuses = await Promise.all([first, missed, last].map((id) => user.get(`/messages/${id}`)))
      assert.deepEqual(
        statuses.map((answer) => answer.status),
        [200, 400, 200],
      )
    })
  })

  test('POST /register lists it among the former ones, as long as one may know of it', async () => {
    const server = await parley()
    const [user, maker] = [await server.newUser(), server.as('member')]
    const [open, closed] = [await channelOf([maker, user]), await channelOf([maker, user], { invite_only: true })]
    await leave(user, [open, closed])
    const state = await user.must('POST', '/register', { fetch_event_types: ['subscription', 'stream'] })
    const namesOf = (list: { name: string }[]) =>
      list.map((one) => one.name).filter((one) => [open, closed].includes(one))
    assert.deepEqual([state.subscriptions, state.unsubscribed, state.never_subscribed, state.streams].map(namesOf), [
      [],
      [open],
      [],
      [open],
    ])
    const [former] = state.unsubscribed
    assert.match(former.color, /^#[0-9a-f]{6}$/)
  })
})
