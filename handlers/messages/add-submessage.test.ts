import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, ownParley, sharedParley } from '../../server/testing.ts'

const MESSAGE = { type: 'channel', to: 'general', topic: 'w' }

const add = (client: ApiClient, messageId: number, content: unknown) =>
  client.post('/submessage', {
    message_id: messageId,
    msg_type: 'widget',
    content: typeof content === 'string' ? content : JSON.stringify(content),
  })

const send = async (client: ApiClient, content: string, more: object = {}): Promise<number> =>
  (await client.must('POST', '/messages', { ...MESSAGE, content, ...more })).id

/** The widgets of a message. */
async function widgets(client: ApiClient, id: number): Promise<unknown[]> {
  const { message } = await client.must('GET', `/messages/${id}`)
  return message.submessages.map(({ content }: { content: string }) => JSON.parse(content))
}

onEachDatabase('widgets and POST /submessage', (dialect) => {
  const parley = sharedParley(dialect)

  test('/poll and /todo turn a message into a widget; longer words do not', async () => {
    const member = (await parley()).as('member')
    const poll = (question: string, ...options: string[]) => ({
      widget_type: 'poll',
      extra_data: { question, options },
    })
    const tasks = [
      { task: 'buy cake', desc: 'with candles' },
      { task: 'invite', desc: '' },
    ]
    const cases: [string, object[]][] = [
      ['/poll What for lunch?\n- noodles\n\n* rice\nbread', [poll('What for lunch?', 'noodles', 'rice', 'bread')]],
      ['/poll', [poll('')]],
      [
        '/todo Party\nbuy cake: with candles\n- invite',
        [{ widget_type: 'todo', extra_data: { task_list_title: 'Party', tasks } }],
      ],
      ['/poll\nyes\nno', [poll('', 'yes', 'no')]],
      ['/polling station', []],
      ['a /poll', []],
    ]
    for (const [content, expected] of cases) {
      assert.deepEqual(await widgets(member, await send(member, content)), expected, content)
    }
  })

  test('bots attach a form with widget_content, people cannot', async () => {
    const server = await parley()
    const bot = server.as('bot')
    const choices = [{ short_name: 'Y', long_name: 'Yes', reply: 'yes' }]
    const form = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Lunch?', choices } }
    const id = await send(bot, 'Lunch?', { widget_content: form })
    assert.deepEqual(await widgets(bot, id), [form])
    assert.equal((await add(bot, id, { type: 'vote', key: 'x', vote: 1 })).status, 400)
    for (const [client, widget_content, said] of [
      [server.as('member'), form, /^widget_content can be sent by bots only$/],
      [bot, '{', /widget_content/],
      [bot, { ...form, widget_type: 'poll' }, /widget_content\["widget_type"\]/],
      [bot, { widget_type: 'zform', extra_data: { type: 'choices', heading: 'x' } }, /\["choices"\]/],
    ] as const) {
      const { status, body } = await client.post('/messages', { ...MESSAGE, content: 'x', widget_content })
      assert.equal(status, 400)
      assert.match(body.msg, said)
    }
  })

  test('only the sender changes question and title, and adds the first piece, which names the widget type', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const plain = await send(member, 'plain')
    const poll = { widget_type: 'poll', extra_data: { question: 'Tea?', options: [] } }
    assert.equal((await add(member, plain, { widget_type: 'wheel', extra_data: {} })).status, 400)
    for (const [id, change, said] of [
      [plain, poll, /^You cannot attach/],
      [plain, { type: 'question', question: 'Coffee?' }, /^Only the sender/],
      [await send(member, '/todo Party'), { type: 'new_task_list_title', title: 'Feast' }, /^Only the sender/],
    ] as const) {
      const { status, body } = await add(other, id, change)
      assert.equal(status, 400)
      assert.match(body.msg, said)
      assert.equal((await add(member, id, change)).status, 200)
    }
  })

  test('refuse invalid JSON, data of another widget, and unknown kinds of data, by name', async () => {
    const member = (await parley()).as('member')
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
      [poll, { type: 'new_option', option: 'x', idx: 1000 }, /^$/],
      [list, { type: 'new_task', key: 1, task: 'x', desc: '', completed: false }, /^$/],
      [list, { type: 'strike', key: '1,9' }, /^$/],
    ]
    for (const [id, content, said] of cases) {
      assert.match((await add(member, id, content)).body.msg, said, JSON.stringify(content))
    }
  })

  test('additions are limited, in number and characters, so that every reader can be sent them', async (t) => {
    const server = await ownParley(t, dialect)
    const [member, other] = [server.as('member'), server.as('member2')]
    for (const [pieces, characters, said] of [
      [9_999, 1, ''],
      [10_000, 1, 'Nothing more can be added to this message'],
      [100, 10_000, ''],
      [101, 10_000, 'Nothing more can be added to this message'],
    ] as const) {
      const id = await send(member, '/poll Tea?')
      const row = { message_id: id, sender_id: member.userId, msg_type: 'widget', content: 'x'.repeat(characters) }
      await server.inDatabase(async ({ knex }) => {
        for (let left = pieces - 1; left > 0; left -= 100) {
          await knex('submessage').insert(Array.from({ length: Math.min(left, 100) }, () => row))
        }
      })
      assert.equal((await add(other, id, { type: 'vote', key: 'canned,0', vote: 1 })).body.msg, said)
    }
  })
})
