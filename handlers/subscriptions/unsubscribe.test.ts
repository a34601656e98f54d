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
const _kinds = (events: Events) => events.map((event) => `${event.type} ${event.op}`)

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

  test('administrators take others out of private channels, too, and owners their bots; a name that is none is said', async () => {
    const server = await parley()
    const [maker, other, victim] = [server.as('member'), server.as('member2'), await server.newUser()]
    const [open, closed] = [await channelOf([maker, victim]), await channelOf([maker, victim], { invite_only: true })]
    const principals = [victim.userId]
    const refused = await leave(other, [open], { principals })
    assert.deepEqual([refused.status, refused.body.msg], [400, 'Insufficient permission'])
    for (const name of [open, closed])
      assert.deepEqual((await leave(server.as('admin'), [name], { principals })).body.removed, [name])
    for (const name of ['no such channel', closed]) {
      const { body } = await leave(victim, [name])
      const msg = `Channel '${name}' does not exist`
      assert.deepEqual([body.code, body.stream, body.msg], ['STREAM_DOES_NOT_EXIST', name, msg])
    }
    const { unsubscribed } = await victim.must('POST', '/register', { fetch_event_types: ['subscription'] })
    assert.deepEqual(
      unsubscribed.map((one: { name: string }) => one.name),
      [open],
      'a private channel is not among the former ones',
    )
    const bot = server.as('bot')
    const name = await channelOf([maker, bot])
    assert.equal((await leave(other, [name], { principals: [bot.userId] })).status, 400)
    assert.deepEqual((await leave(server.as('owner'), [name], { principals: [bot.userId] })).body.removed, [name])
  })

  test('of two messages before and after leaving only the first arrives, also when it is fetched later', async () => {
    const server = await parley()
    const [sender, user] = [server.as('member'), await server.newUser()]
    for (const invite_only of [false, true]) {
      const name = await channelOf([sender, user], { invite_only, history_public_to_subscribers: true })
      const send = async (content: string): Promise<number> =>
        (await sender.must('POST', '/messages', { type: 'channel', to: name, topic: 't', content })).id
      const messages = await register(user, { event_types: ['message'] })
      const first = await send('first')
      await leave(user, [name])
      await send('second')
      const ids = (await messages()).map((event) => (event as { message?: { id: number } }).message?.id)
      assert.deepEqual(ids, [first])
    }
  })

  test('what a channel had is read by leaving it; nothing in an archived one counts as unread', async () => {
    const server = await parley()
    const [sender, user] = [server.as('member'), await server.newUser()]
    const name = await channelOf([sender, user])
    const send = async (content: string): Promise<number> =>
      (await sender.must('POST', '/messages', { type: 'channel', to: name, topic: 't', content })).id
    const unread = async () => {
      const fetch_event_types = ['message', 'update_message_flags']
      const { unread_msgs } = await user.must('POST', '/register', { fetch_event_types })
      const isRead = async (id: number) => (await user.must('GET', `/messages/${id}`)).message.flags.includes('read')
      return [unread_msgs.count, await isRead(first)]
    }
    const first = await send('first')
    assert.deepEqual(await unread(), [1, false])
    await leave(user, [name])
    assert.deepEqual(await unread(), [0, true])
    await user.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    assert.deepEqual(await unread(), [0, true])
    await send('second')
    assert.deepEqual(await unread(), [1, true])
    await server.as('admin').must('DELETE', `/streams/${await idOf(sender, name)}`)
    assert.equal((await unread())[0], 0)
  })
})
