import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { edit, newChannel, read, send } from './edits-testing.ts'

interface Queue {
  readonly queue_id: string
  readonly last_event_id: number
}
const listen = (client: ApiClient): Promise<Queue> =>
  client.must('POST', '/register', { event_types: ['update_message'], fetch_event_types: [] })

async function heard(client: ApiClient, { queue_id, last_event_id }: Queue) {
  return (await client.must('GET', '/events', { queue_id, last_event_id, dont_block: true })).events
}

onEachDatabase('the event of PATCH /messages/{message_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('has all fields, and the flags of each reader (EV-OTHER-12)', async () => {
    const server = await parley()
    const [member, other, third] = [server.as('member'), server.as('member2'), server.as('moderator')]
    const to = await newChannel(server, [member, other, third])
    const { stream_id } = await read(member, await send(member, 'x', { to }))
    const id = await send(member, 'old', { to })
    const queues = await Promise.all([member, other, third].map(listen))
    await edit(member, id, { content: 'new for @**Mia Member**' })
    const events = await Promise.all([member, other, third].map((one, index) => heard(one, queues[index] as Queue)))
    const [[mine], [hers], [theirs]] = events
    const { id: eventId, edit_timestamp, rendered_content, ...rest } = mine
    assert.ok(eventId > 0 && edit_timestamp <= Date.now() / 1000)
    assert.match(rendered_content, /^<p>new for <span class="user-mention"/)
    assert.deepEqual(rest, {
      type: 'update_message',
      user_id: member.userId,
      rendering_only: false,
      message_id: id,
      message_ids: [id],
      flags: ['read'],
      stream_id,
      stream_name: to,
      orig_content: 'old',
      orig_rendered_content: '<p>old</p>',
      content: 'new for @**Mia Member**',
      is_me_message: false,
    })
    assert.deepEqual([hers.flags, theirs.flags], [['mentioned'], []])
    assert.deepEqual(
      events.map((list) => list.length),
      [1, 1, 1],
    )
  })

  test('of a direct message has no channel and goes to its people only', async () => {
    const server = await parley()
    const [member, other, owner] = [server.as('member'), server.as('member2'), server.as('owner')]
    const id = await send(member, 'old', { type: 'direct', to: [other.userId] })
    const queues = await Promise.all([other, owner].map(listen))
    await edit(member, id, { content: 'new' })
    const [event] = await heard(other, queues[0] as Queue)
    assert.deepEqual([event.message_id, event.flags], [id, []])
    assert.ok(!('stream_id' in event) && !('stream_name' in event))
    assert.deepEqual(await heard(owner, queues[1] as Queue), [])
  })

  test('of a private channel that hides older messages goes to whoever received this one', async () => {
    const server = await parley()
    const [member, other, late] = [server.as('member'), server.as('member2'), server.as('moderator')]
    const hidden = { invite_only: true, history_public_to_subscribers: false }
    const to = await newChannel(server, [member, other], hidden)
    const id = await send(member, 'old', { to })
    await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }], principals: [late.userId] })
    const queues = await Promise.all([other, late, server.as('owner')].map(listen))
    await edit(member, id, { content: 'new' })
    const counts = await Promise.all(
      [other, late, server.as('owner')].map(async (one, index) => (await heard(one, queues[index] as Queue)).length),
    )
    assert.deepEqual(counts, [1, 0, 0])
  })

  test('of a public channel goes to whoever received it and left, unless that was a guest', async () => {
    const server = await parley()
    const [member, other, third, guest] = ['member', 'member2', 'moderator', 'guest'].map((one) => server.as(one))
    assert(member && other && third && guest)
    const to = await newChannel(server, [member, other, guest])
    const id = await send(member, 'old', { to })
    for (const one of [other, guest]) await one.must('DELETE', '/users/me/subscriptions', { subscriptions: [to] })
    const people = [other, third, guest]
    const queues = await Promise.all(people.map(listen))
    assert.equal((await edit(member, id, { content: 'new' })).status, 200)
    const told = await Promise.all(people.map((one, index) => heard(one, queues[index] as Queue)))
    assert.deepEqual(
      told.map((events) => events.map((event: { message_id: number }) => event.message_id)),
      [[id], [], []],
    )
    assert.deepEqual(told[0]?.[0].flags, ['read'])
  })

  test('says historical where somebody joined later', async () => {
    const server = await parley()
    const [member, late] = [server.as('member'), server.as('member2')]
    const to = await newChannel(server, [member])
    const id = await send(member, 'old', { to })
    await late.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }] })
    const queue = await listen(late)
    await edit(member, id, { content: '@**all**' })
    const [event] = await heard(late, queue)
    assert.deepEqual(event.flags, ['read', 'historical'])
  })
})
