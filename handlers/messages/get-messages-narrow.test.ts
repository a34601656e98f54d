import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { SqlValue } from '../../db/session.ts'
import { type ApiClient, onBothDatabases, startParley, type TestServer } from '../../server/testing.ts'

const ALL = { anchor: 'newest', num_before: 1000, num_after: 0 }
const not = (operator: string, operand: unknown) => ({ operator, operand, negated: true })

onBothDatabases('narrows of GET /messages', (dialect) => {
  let server: TestServer
  let me: ApiClient
  let other: ApiClient
  let third: ApiClient
  let channel: string
  let channelId: number
  /** Ids by a word in each message. */
  const sent: Record<string, number> = {}

  before(async () => {
    server = await startParley(dialect)
    me = await server.newUser()
    other = await server.newUser()
    third = await server.newUser()
    const open = await server.newChannel([other, me])
    channel = open.name
    channelId = open.id
    const { name: closed } = await server.newChannel([other, me], { invite_only: true })
    const send = async (name: string, content: string, topic = 'plain', client = other, to = channel) => {
      sent[name] = await client.send(to, content, { topic })
    }
    const direct = async (name: string, people: ApiClient[], client = other) => {
      sent[name] = await client.send(people, name)
    }
    await send('plain', 'nothing special')
    await send('resolved', 'x', '✔ done')
    await send('own', 'mine', 'plain', me)
    await send('private', 'secret plans', 'plain', other, closed)
    await direct('pair', [me])
    await direct('group', [me, third])
    await direct('theirs', [third])
  })

  after(() => server.stop())

  const change = (sql: string, params: unknown[]) =>
    server.inDatabase(async (session) => session.run(sql, params as SqlValue[]))
  const setPolicy = (topic: string, visibility_policy: number) =>
    me.must('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy })
  const setMuted = (value: boolean) =>
    me.must('PATCH', `/users/me/subscriptions/${channelId}`, { property: 'is_muted', value })

  const names = (ids: readonly number[]): string[] =>
    ids.map((id) => Object.entries(sent).find(([, one]) => one === id)?.[0] ?? `message ${id}`)
  async function found(narrow: unknown[], client = me, parameters: object = ALL): Promise<string[]> {
    const { messages } = await client.must('GET', '/messages', { ...parameters, narrow })
    return names(messages.map((message: { id: number }) => message.id)).filter((name) => !name.startsWith('message '))
  }
  /** Checks a narrow and its negation, which together match everything. */
  async function both(operator: string, operand: unknown, expected: string[]): Promise<void> {
    const all = await found([])
    assert.deepEqual(await found([{ operator, operand }]), expected, `${operator}:${operand}`)
    assert.deepEqual(
      await found([not(operator, operand)]),
      all.filter((name) => !expected.includes(name)),
      `-${operator}:${operand}`,
    )
  }

  test('public channels are searched whole, and other places for received messages', async () => {
    assert.deepEqual(await found([['channels', 'public']], third), ['plain', 'resolved', 'own'])
    assert.deepEqual(await found([not('channels', 'public')]), ['private', 'pair', 'group'])
    assert.deepEqual(await found([['channels', 'web-public']]), [])
    for (const term of [not('channel', 'general'), not('channels', 'public'), not('topic', 'x')]) {
      const few = { ...ALL, num_before: 2 } // What one may not read must not take the place of what one may.
      assert.deepEqual(await found([term], third, few), ['group', 'theirs'], 'elsewhere, only what one received')
    }
    const [ofGuest] = await server.as('guest').newest([['channels', 'public']], { num_before: 1 })
    assert.equal(ofGuest?.display_recipient, 'general', 'guests have no other public channels')
    assert.deepEqual(await found([not('in', 'all')]), [])
    assert.deepEqual(await found([not('channel', 'general'), ['topic', 'plain']]), ['plain', 'own', 'private'])
    const moved = [['channel', 'general'], ['topic', 'x'], { operator: 'with', operand: sent.plain }]
    assert.deepEqual(await found(moved, third), ['plain', 'own'], 'with says where, whatever the other terms say')
  })

  test('everybody can open the conversation with the notification bot', async () => {
    await other.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: channel }],
      principals: [third.userId],
    })
    const { cross_realm_bots: bots, recent_private_conversations: recent } = await third.must('POST', '/register')
    const [{ user_id: id, email }] = bots
    assert.ok(recent.some((one: { user_ids: number[] }) => one.user_ids.includes(id)))
    const narrows = [
      ...[[id], [id, third.userId], email].map((operand) => ({ operator: 'dm', operand })),
      ...[id, email].flatMap((operand) => [
        { operator: 'dm-including', operand },
        { operator: 'sender', operand },
      ]),
    ]
    for (const narrow of narrows) {
      const { messages } = await third.must('GET', '/messages', { ...ALL, narrow: [narrow] })
      const senders = messages.map((one: { sender_id: number }) => one.sender_id)
      assert.deepEqual([...new Set(senders)], [id], JSON.stringify(narrow))
    }
    const read = { anchor: 'newest', num_before: 10, num_after: 0, op: 'add', flag: 'read' }
    const { updated_count } = await third.must('POST', '/messages/flags/narrow', {
      ...read,
      narrow: narrows.slice(0, 1),
    })
    assert.ok(updated_count > 0)
    const strange = [{ operator: 'dm', operand: [id, 2 ** 30] }]
    assert.equal((await third.get('/messages', { ...ALL, narrow: strange })).body.code, 'BAD_NARROW')
  })

  test('a topic that is only the mark is not resolved', async () => {
    const { name } = await server.newChannel([me])
    const id = await me.send(name, 'x', { topic: '✔' })
    const term = { operator: 'is', operand: 'resolved', negated: true }
    const { messages } = await me.must('GET', '/messages', { ...ALL, narrow: [['channel', name], term] })
    assert.deepEqual(
      messages.map((message: { id: number }) => message.id),
      [id],
    )
  })

  test('Parley accepts additional spellings', async () => {
    await both('group_pm_with', third.userId, ['group'])
    await both('dm', `${other.email}, ${third.email}`, ['group'])
    await both('pm_with', other.userId, ['pair'])
    const twice = JSON.stringify(JSON.stringify([['id', String(sent.own)]]))
    const { messages } = await me.must('GET', '/messages', { ...ALL, narrow: twice })
    assert.equal(messages[0].id, sent.own, 'encoded twice')
    const bot = [['sender', 'NOTIFICATION-BOT@parley.invalid']]
    assert.equal((await me.get('/messages', { ...ALL, narrow: bot })).status, 200, 'a system bot in any case')
  })

  test('home excludes muted topics, and the first unread message ignores them unless named', async () => {
    await setPolicy('✔ done', 3)
    await setPolicy('plain', 1)
    await both('in', 'home', ['resolved', 'private', 'pair', 'group'])
    const unread = (narrow: unknown[]) => found(narrow, me, { anchor: 'first_unread', num_before: 0, num_after: 0 })
    const inChannel = ['channel', channel]
    assert.deepEqual(await unread([inChannel]), ['resolved'], 'muted topics are skipped')
    assert.deepEqual(await unread([inChannel, ['topic', 'plain']]), ['plain'], 'but not what is named')
    await setPolicy('plain', 0)
    await setMuted(true)
    await both('is', 'muted', ['plain', 'own'])
    assert.deepEqual(await unread([]), ['resolved'], 'a followed topic of a muted channel')
    assert.deepEqual(await unread([inChannel]), ['plain'])
    await setMuted(false)
  })

  describe('search', () => {
    const ids: number[] = []
    const texts = [
      'The **Straße** to İstanbul',
      'Le café est fermé',
      '日本語を話す',
      'party 🎉 time',
      'foo-bar & <b>',
      'quick brown fox',
      'brown quick',
    ]
    before(async () => {
      for (const content of texts) {
        const to = { type: 'channel', to: channel, topic: 'Größe <x>' }
        ids.push((await other.must('POST', '/messages', { ...to, content })).id)
      }
    })
    const search = async (operand: string, extra: unknown[] = []) => {
      const narrow = [{ operator: 'search', operand }, ...extra]
      const { messages } = await me.must('GET', '/messages', { ...ALL, narrow })
      return messages.map((message: { id: number }) => texts[ids.indexOf(message.id)] ?? names([message.id])[0])
    }

    test('words of every alphabet, in any case, by their beginning; phrases (DIFF-SEARCH)', async () => {
      const cases: [string, number[]][] = [
        ['STRASSE', [0]],
        ['straß', [0]],
        ['istanbul', []],
        ['CAFÉ', [1]],
        ['cafe', []],
        ['日本', [2]],
        ['🎉', [3]],
        ['foo-bar', [4]],
        ['BROWN quick', [5, 6]],
        ['"quick brown"', [5]],
        ['größe foo', [4]],
        ['->', []],
        ['the', [0]],
        ['th', []],
      ]
      for (const [operand, expected] of cases) {
        const wanted = expected.map((index) => texts[index])
        assert.deepEqual(await search(operand), wanted, operand)
      }
    })

    test('matches are marked, also within Markdown, and only in searches', async () => {
      const narrow = [['search', 'strasse größe']]
      const [message] = (await me.must('GET', '/messages', { ...ALL, narrow, apply_markdown: false })).messages
      const marked = '<p>The <strong><span class="highlight">Straße</span></strong> to İstanbul</p>'
      assert.equal(message.match_content, marked)
      assert.equal(message.match_subject, '<span class="highlight">Größe</span> &lt;x&gt;')
      assert.equal(message.content, texts[0])
      const [plain] = (await me.must('GET', '/messages', { message_ids: [ids[0]], narrow: [] })).messages
      assert.ok(!('match_content' in plain) && !('match_subject' in plain))
      const asked = { msg_ids: [sent.pair], narrow: [['search', 'PAIR']] }
      const { messages } = await me.must('GET', '/messages/matches_narrow', asked)
      const direct = { match_content: '<p><span class="highlight">pair</span></p>', match_subject: '' }
      assert.deepEqual(messages, { [String(sent.pair)]: direct }, 'a direct message has no topic')
    })
  })

  test('dates: the first message at or after the date', async () => {
    const range = { anchor: 'date', num_before: 0, num_after: 0, narrow: [['channel', channel]] }
    await change('update message set sent_at = 1000000000 where id <= ?', [sent.resolved])
    for (const [anchor_date, first] of [
      ['2001-09-09T01:46:40', sent.plain],
      ['2001-09-09T01:46:41', sent.own],
    ] as const) {
      assert.equal((await me.must('GET', '/messages', { ...range, anchor_date })).anchor, first)
    }
    const refusal = async (parameters: Record<string, unknown>) => (await me.get('/messages', parameters)).body.msg
    assert.equal(await refusal(range), "Missing 'anchor_date' argument")
    assert.equal(await refusal({ ...range, anchor_date: 'yesterday' }), 'anchor_date is not an ISO 8601 date or time')
  })
})
