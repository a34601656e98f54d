import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley, startParley } from '../../server/testing.ts'

const add = (client: ApiClient, messageId: number, content: unknown, msg_type = 'widget') =>
  client.post('/submessage', {
    message_id: messageId,
    msg_type,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  })

async function send(client: ApiClient, content: string, more: Record<string, unknown> = {}): Promise<number> {
  const message = { type: 'channel', to: 'general', topic: 'w', content, ...more }
  return (await client.must('POST', '/messages', message)).id
}

async function submessages(client: ApiClient, id: number) {
  return (await client.must('GET', `/messages/${id}`)).message.submessages
}

onEachDatabase('widgets and POST /submessage', (dialect) => {
  const parley = sharedParley(dialect)

  test('/poll makes a poll of a message, in its event and in every answer (SUBMSG-1 to SUBMSG-5)', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const { queue_id, last_event_id } = await other.must('POST', '/register', { event_types: ['message'] })
    const id = await send(member, '/poll What for lunch?\n- noodles\n\n* rice\nbread')
    const [poll, ...others] = await submessages(other, id)
    assert.deepEqual(others, [])
    const { id: submessageId, content, ...rest } = poll
    assert.ok(Number.isInteger(submessageId) && submessageId > 0)
    assert.deepEqual(rest, { message_id: id, sender_id: member.userId, msg_type: 'widget' })
    assert.deepEqual(JSON.parse(content), {
      widget_type: 'poll',
      extra_data: { question: 'What for lunch?', options: ['noodles', 'rice', 'bread'] },
    })
    const { messages } = await other.must('GET', '/messages', { message_ids: [id, id - 1] })
    assert.deepEqual(messages.at(-1).submessages, [poll])
    const { events } = await other.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
    assert.deepEqual(events.at(-1).message.submessages, [poll])
  })

  test('/todo makes a task list; a word that only begins so makes nothing', async () => {
    const server = await parley()
    const member = server.as('member')
    const [list] = await submessages(member, await send(member, '/todo Party\nbuy cake: with candles\n- invite'))
    assert.deepEqual(JSON.parse(list.content), {
      widget_type: 'todo',
      extra_data: {
        task_list_title: 'Party',
        tasks: [
          { task: 'buy cake', desc: 'with candles' },
          { task: 'invite', desc: '' },
        ],
      },
    })
    for (const content of ['/polling station', 'a /poll', '/todos']) {
      assert.deepEqual(await submessages(member, await send(member, content)), [], content)
    }
    assert.equal((await submessages(member, await send(member, '/poll'))).length, 1, 'without a question')
  })

  test('bots attach a form with widget_content, people do not', async () => {
    const server = await parley()
    const bot = server.as('bot')
    const choices = [{ short_name: 'Y', long_name: 'Yes', reply: 'yes' }]
    const form = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Lunch?', choices } }
    const id = await send(bot, 'Lunch?', { widget_content: form })
    const [attached] = await submessages(server.as('member'), id)
    assert.deepEqual(JSON.parse(attached.content), form)
    assert.equal((await add(bot, id, { type: 'vote', key: 'x', vote: 1 })).status, 400)
    const message = { type: 'channel', to: 'general', topic: 'w', content: 'x' }
    const { body } = await server.as('member').post('/messages', { ...message, widget_content: form })
    assert.equal(body.msg, 'widget_content can be sent by bots only')
    for (const [content, said] of [
      ['{', /widget_content/],
      [{ ...form, widget_type: 'poll' }, /widget_content\["widget_type"\]/],
      [{ widget_type: 'zform', extra_data: { type: 'choices', heading: 'x' } }, /\["choices"\]/],
    ] as const) {
      const refused = await bot.post('/messages', { ...message, widget_content: content })
      assert.equal(refused.status, 400)
      assert.match(refused.body.msg, said)
    }
  })

  test('everybody who can read the message may vote and add, and all hear of it', async () => {
    const server = await parley()
    const [member, other, guest] = [server.as('member'), server.as('member2'), server.as('guest')]
    const id = await send(member, '/poll Tea?')
    const queue = await guest.must('POST', '/register', { event_types: ['submessage'], fetch_event_types: [] })
    const additions = [
      { type: 'new_option', option: 'green', idx: 1 },
      { type: 'vote', key: '9,1', vote: 1 },
      { type: 'vote', key: '9,1', vote: -1 },
    ]
    for (const addition of additions) assert.equal((await add(other, id, addition)).status, 200)
    const stored = (await submessages(member, id)).slice(1)
    assert.deepEqual(
      stored.map((one: { content: string }) => JSON.parse(one.content)),
      additions,
    )
    const { events } = await guest.must('GET', '/events', {
      queue_id: queue.queue_id,
      last_event_id: queue.last_event_id,
      dont_block: true,
    })
    assert.deepEqual(
      events.map(({ id: _, ...event }: { id: number }) => event),
      stored.map(({ id: submessage_id, ...one }: { id: number }) => ({ type: 'submessage', ...one, submessage_id })),
    )
    assert.equal(events[0].sender_id, other.userId)
  })

  test('question and title are the sender’s to change', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const poll = await send(member, '/poll Tea?')
    const list = await send(member, '/todo Party')
    for (const [id, change] of [
      [poll, { type: 'question', question: 'Coffee?' }],
      [list, { type: 'new_task_list_title', title: 'Feast' }],
    ] as const) {
      const { status, body } = await add(other, id, change)
      assert.equal(status, 400)
      assert.match(body.msg, /^Only the sender/)
      assert.equal((await add(member, id, change)).status, 200)
    }
  })

  test('the first piece is the sender’s, and says what widget it is', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const id = await send(member, 'plain')
    const poll = { widget_type: 'poll', extra_data: { question: 'Tea?', options: [] } }
    assert.equal((await add(other, id, poll)).body.msg, 'You cannot attach a submessage to this message.')
    assert.equal((await add(member, id, { widget_type: 'wheel', extra_data: {} })).status, 400)
    assert.equal((await add(member, id, poll)).status, 200)
    assert.equal((await add(other, id, { type: 'vote', key: 'canned,0', vote: 1 })).status, 200)
  })

  test('refuse what is not JSON, what does not fit the widget, and other kinds of data, by name', async () => {
    const server = await parley()
    const member = server.as('member')
    const poll = await send(member, '/poll Tea?')
    const list = await send(member, '/todo Party')
    const cases: [number, unknown, RegExp][] = [
      [poll, '{', /^Invalid json for submessage$/],
      [poll, 'null', /not an object/],
      [poll, [], /not an object/],
      [poll, { type: 'strike', key: 'x' }, /content\["type"\]/],
      [poll, { type: '__proto__' }, /content\["type"\]/],
      [poll, { type: 'vote', key: 'x' }, /content\["vote"\] field is missing/],
      [poll, { type: 'vote', key: 'x', vote: 2 }, /Invalid content\["vote"\]/],
      [poll, { type: 'vote', key: 7, vote: 1 }, /Invalid content\["key"\]/],
      [poll, { type: 'vote', key: 'x', vote: 1, more: 1 }, /"more" at content/],
      [poll, { type: 'new_option', option: 'x', idx: 1001 }, /Invalid content\["idx"\]/],
      [list, { type: 'new_task', key: 1, task: 'x', desc: '', completed: 'no' }, /Invalid content\["completed"\]/],
      [list, { type: 'vote', key: 'x', vote: 1 }, /content\["type"\]/],
    ]
    for (const [id, content, said] of cases) {
      const { status, body } = await add(member, id, content)
      assert.equal(status, 400)
      assert.match(body.msg, said, JSON.stringify(content))
    }
    const { body } = await add(member, poll, {}, 'other')
    assert.match(body.msg, /msg_type/)
    assert.equal(
      (await add(member, list, { type: 'new_task', key: 1, task: 'x', desc: '', completed: false })).status,
      200,
    )
    assert.equal((await add(member, list, { type: 'strike', key: '1,9' })).status, 200)
  })

  test('what has been added stays small enough to be sent to every reader, in pieces and in characters', async (t) => {
    const server = await startParley(dialect)
    t.after(() => server.stop())
    const [member, other] = [server.as('member'), server.as('member2')]
    const vote = { type: 'vote', key: 'canned,0', vote: 1 }
    const filled = async (pieces: number, characters: number): Promise<number> => {
      const id = await send(member, '/poll Tea?')
      const row = { message_id: id, sender_id: member.userId, msg_type: 'widget', content: 'x'.repeat(characters) }
      await server.inDatabase(async ({ knex }) => {
        for (let left = pieces - 1; left > 0; left -= 100) {
          await knex('submessage').insert(Array.from({ length: Math.min(left, 100) }, () => row))
        }
      })
      return id
    }
    for (const [pieces, characters] of [
      [10_000, 1],
      [101, 10_000],
    ] as const) {
      const { status, body } = await add(other, await filled(pieces, characters), vote)
      assert.deepEqual([status, body.msg], [400, 'Nothing more can be added to this message'])
    }
    assert.equal((await add(other, await filled(9_999, 1), vote)).status, 200)
    assert.equal((await add(other, await filled(100, 10_000), vote)).status, 200)
  })

  test('what one may not see does not exist', async () => {
    const server = await parley()
    const member = server.as('member')
    const id = await send(member, '/poll Tea?', { type: 'direct', to: [member.userId] })
    const { body } = await add(server.as('owner'), id, { type: 'vote', key: 'x', vote: 1 })
    assert.equal(body.msg, 'Invalid message(s)')
  })
})
