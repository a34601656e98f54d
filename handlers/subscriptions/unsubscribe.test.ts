import assert from 'node:assert/strict'
import { test } from 'node:test'
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

  test('a bot is taken out by its owner', async () => {
    const server = await parley()
    const [owner, bot] = [server.as('owner'), server.as('bot')]
    const name = await channelOf([server.as('member'), bot])
    assert.deepEqual((await leave(owner, [name], { principals: [bot.userId] })).body.removed, [name])
  })

  test('whoever leaves alone, however they write its name, is not told of themselves', async () => {
    const member = (await parley()).as('member')
    const name = await channelOf([member])
    const events = await register(member)
    await leave(member, [name.toUpperCase()])
    assert.deepEqual(kinds(await events()), ['subscription remove'])
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
