import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { SqlValue } from '../../db/session.ts'
import { topicKey } from '../../domain/text/text-keys.ts'
import { type ApiClient, onBothDatabases, startParley, type TestServer } from '../../server/testing.ts'

const ALL = { anchor: 'newest', num_before: 1000, num_after: 0 }

onBothDatabases('narrows of GET /messages', (dialect) => {
  let server: TestServer
  let me: ApiClient
  let other: ApiClient
  let third: ApiClient
  let channel: string
  let privateChannel: string
  /** Ids by a word in each message. */
  const sent: Record<string, number> = {}

  before(async () => {
    server = await startParley(dialect)
    me = await server.newUser()
    other = await server.newUser()
    third = await server.newUser()
    // A mention would make the user follow the topic; these tests control that themselves.
    await me.must('PATCH', '/settings', { automatically_follow_topics_where_mentioned: false })
    channel = server.unique('Narrows')
    privateChannel = server.unique('Closed')
    const principals = [me.userId, other.userId]
    await other.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel }], principals })
    await other.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: privateChannel }],
      principals,
      invite_only: true,
    })
    const send = async (name: string, content: string, topic = 'plain', client = other, to = channel) => {
      sent[name] = (await client.must('POST', '/messages', { type: 'channel', to, topic, content })).id
    }
    const direct = async (name: string, people: ApiClient[], client = other) => {
      const to = people.map((one) => one.userId)
      sent[name] = (await client.must('POST', '/messages', { type: 'direct', to, content: name })).id
    }
    await send('plain', 'nothing special')
    await send('link', 'see https://example.com/')
    await send('resolved', 'x', '✔ done')
    await send('mention', `hello @**${nameOf(me)}**`)
    await send('silent', `hello @_**${nameOf(me)}**`)
    await send('wildcard', '@**all** look')
    await send('own', 'mine', 'plain', me)
    await send('private', 'secret plans', 'plain', other, privateChannel)
    await direct('pair', [me])
    await direct('group', [me, third])
    await direct('note', [me], me)
    await direct('theirs', [third])
    await me.must('POST', '/messages/flags', { messages: [sent.plain, sent.pair], op: 'add', flag: 'starred' })
    await me.must('POST', '/messages/flags', { messages: [sent.link, sent.group], op: 'add', flag: 'read' })
  })

  after(() => server.stop())

  const change = (sql: string, params: unknown[]) =>
    server.inDatabase(async (session) => session.run(sql, params as SqlValue[]))
  async function setPolicy(userId: number, channelId: number, topic: string, policy: number): Promise<void> {
    await change('delete from user_topic where user_id = ? and topic_key = ?', [userId, topicKey(topic)])
    if (policy === 0) return
    await change(
      `insert into user_topic (user_id, channel_id, topic_key, topic_name, visibility_policy, last_updated)
       values (?, ?, ?, ?, ?, 0)`,
      [userId, channelId, topicKey(topic), topic, policy],
    )
  }
  const setMuted = (userId: number, channelId: number, isMuted: boolean) =>
    change('update subscription set is_muted = ? where user_id = ? and channel_id = ?', [
      isMuted ? 1 : 0,
      userId,
      channelId,
    ])

  const nameOf = (client: ApiClient): string => client.email.replace(/@.*/, '').replace('user-', 'User ')
  const names = (ids: readonly number[]): string[] =>
    ids.map((id) => Object.entries(sent).find(([, one]) => one === id)?.[0] ?? `message ${id}`)
  async function found(narrow: unknown[], client = me, parameters: object = ALL): Promise<string[]> {
    const { messages } = await client.must('GET', '/messages', { ...parameters, narrow })
    return names(messages.map((message: { id: number }) => message.id)).filter((name) => !name.startsWith('message '))
  }
  const not = (operator: string, operand: unknown) => ({ operator, operand, negated: true })
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

  test('is', async () => {
    await both('is', 'dm', ['pair', 'group', 'note'])
    await both('is', 'private', ['pair', 'group', 'note'])
    await both('is', 'starred', ['plain', 'pair'])
    await both('is', 'mentioned', ['mention', 'wildcard'])
    await both('is', 'resolved', ['resolved'])
    await both('is', 'unread', ['plain', 'resolved', 'mention', 'silent', 'wildcard', 'private', 'pair'])
    await both('is', 'alerted', [])
    await both('is', 'followed', [])
    await both('is', 'muted', [])
  })

  test('followed and muted topics, muted channels, home', async () => {
    const { stream_id: channelId } = (await me.must('GET', `/messages/${sent.plain}`)).message
    await setPolicy(me.userId, channelId, '✔ done', 3)
    await both('is', 'followed', ['resolved'])
    await both('in', 'home', await found([]))
    await setPolicy(me.userId, channelId, 'plain', 1)
    await both('is', 'muted', ['plain', 'link', 'mention', 'silent', 'wildcard', 'own'])
    await both('in', 'home', ['resolved', 'private', 'pair', 'group', 'note'])
    const unread = (narrow: unknown[]) => found(narrow, me, { anchor: 'first_unread', num_before: 0, num_after: 0 })
    assert.deepEqual(await unread([['channel', channel]]), ['resolved'], 'muted topics are skipped')
    assert.deepEqual(
      await unread([
        ['channel', channel],
        ['topic', 'plain'],
      ]),
      ['plain'],
      'but not what is named',
    )
    await setPolicy(me.userId, channelId, 'plain', 0)
    await setMuted(me.userId, channelId, true)
    await both('is', 'muted', ['plain', 'link', 'mention', 'silent', 'wildcard', 'own'])
    assert.deepEqual(await unread([]), ['resolved'], 'a followed topic of a muted channel')
    assert.deepEqual(await unread([['channel', channel]]), ['plain'])
    await setMuted(me.userId, channelId, false)
    await both('is', 'muted', [])
    assert.deepEqual(await found([['in', 'all']]), await found([]))
    assert.deepEqual(await found([not('in', 'all')]), [])
  })

  test('has', async () => {
    await both('has', 'link', ['link'])
    await both('has', 'image', [])
    await both('has', 'attachment', [])
    await both('has', 'reaction', [])
    await change('update message set has_image = 1 where id = ?', [sent.plain])
    await change('update message set has_attachment = 1 where id = ?', [sent.group])
    await me.must('POST', `/messages/${sent.own}/reactions`, { emoji_name: 'octopus' })
    await other.must('POST', `/messages/${sent.own}/reactions`, { emoji_name: 'octopus' })
    await both('has', 'image', ['plain'])
    await both('has', 'attachment', ['group'])
    await both('has', 'reaction', ['own'])
  })

  test('people', async () => {
    for (const operand of [other.userId, other.email]) {
      await both('sender', operand, [
        'plain',
        'link',
        'resolved',
        'mention',
        'silent',
        'wildcard',
        'private',
        'pair',
        'group',
      ])
      await both('dm-including', operand, ['pair', 'group'])
      await both('group-pm-with', operand, ['group'])
      await both('mentions', operand, [])
    }
    await both('group_pm_with', third.userId, ['group'])
    await both('dm-including', third.userId, ['group'])
    await both('dm-including', me.userId, ['pair', 'group', 'note'])
    await both('mentions', me.userId, ['mention'])
    await both('dm', [other.userId], ['pair'])
    await both('dm', [me.userId], ['note'])
    await both('dm', `${other.email},${third.email}`, ['group'])
  })

  test('channels, topics, ids', async () => {
    const everywhere = ['plain', 'link', 'resolved', 'mention', 'silent', 'wildcard', 'own']
    for (const operator of ['channels', 'streams']) {
      assert.deepEqual(await found([{ operator, operand: 'public' }]), everywhere)
      assert.deepEqual(
        await found([{ operator, operand: 'public' }], third),
        everywhere,
        'also what one did not receive',
      )
      assert.deepEqual(await found([not(operator, 'public')]), ['private', 'pair', 'group', 'note'])
      assert.deepEqual(await found([{ operator, operand: 'web-public' }]), [])
    }
    await both('channel', channel, everywhere)
    await both('topic', 'PLAIN', ['plain', 'link', 'mention', 'silent', 'wildcard', 'own', 'private'])
    for (const operand of [sent.own, String(sent.own)]) await both('id', operand, ['own'])
    await both('id', sent.theirs, [])
    assert.deepEqual(await found([['near', String(sent.own)]]), await found([]))
  })

  test('with: the conversation that the message is in, whatever else is named', async () => {
    const inTopic = ['plain', 'link', 'mention', 'silent', 'wildcard', 'own']
    assert.deepEqual(await found([['with', String(sent.own)]]), inTopic)
    assert.deepEqual(
      await found([{ operator: 'with', operand: sent.own }, ['channel', privateChannel], ['topic', 'x']]),
      inTopic,
    )
    assert.deepEqual(await found([{ operator: 'with', operand: sent.plain }], third), inTopic)
    assert.deepEqual(await found([{ operator: 'with', operand: sent.group }, ['is', 'dm']]), ['group'])
    assert.deepEqual(await found([{ operator: 'with', operand: sent.own }, ['has', 'link']]), ['link'])
  })

  describe('search', () => {
    const ids: number[] = []
    const texts = [
      'The **Straße** to İstanbul',
      'Le café est fermé',
      '日本語を話す',
      'party 🎉 time',
      'foo-bar & <b>',
      'привет, МИР',
      'quick brown fox',
      'brown quick',
    ]
    before(async () => {
      for (const content of texts) {
        ids.push(
          (await other.must('POST', '/messages', { type: 'channel', to: channel, topic: 'Größe <x>', content })).id,
        )
      }
    })
    const search = async (operand: string, extra: unknown[] = []) => {
      const { messages } = await me.must('GET', '/messages', {
        ...ALL,
        narrow: [{ operator: 'search', operand }, ...extra],
      })
      return messages.map((message: { id: number }) => texts[ids.indexOf(message.id)] ?? names([message.id])[0])
    }

    test('words of every alphabet, in any case, at their beginning; phrases (DIFF-SEARCH)', async () => {
      const cases: [string, number[]][] = [
        ['STRASSE', [0]],
        ['straß', [0]],
        ['i\u0307stanbul', [0]],
        ['istanbul', []],
        ['CAFÉ', [1]],
        ['cafe', []],
        ['日本', [2]],
        ['本日', []],
        ['🎉', [3]],
        ['foo-bar', [4]],
        ['мир', [5]],
        ['quick brown', [6, 7]],
        ['"quick brown"', [6]],
        ['BROWN quick', [6, 7]],
        ['bro "uick b"', []],
        ['größe foo', [4]],
        ['->', []],
        ['the', [0]],
        ['th', []],
      ]
      for (const [operand, expected] of cases) {
        assert.deepEqual(
          await search(operand),
          expected.map((index) => texts[index]),
          operand,
        )
      }
    })

    test('together with other terms, several at once, and negated', async () => {
      assert.deepEqual(await search('brown', [['search', 'fox']]), ['quick brown fox'])
      assert.deepEqual(await search('brown', [not('search', 'fox')]), ['brown quick'])
      assert.deepEqual(await search('quick', [['sender', me.email]]), [])
      assert.deepEqual(await search('quick', [['is', 'unread']]), ['quick brown fox', 'brown quick'])
      assert.deepEqual(await search('secret'), ['private'])
      assert.deepEqual(await found([['search', 'secret']], third), [])
    })

    test('what was found is marked, and only a search marks (NARROW-7 to NARROW-10)', async () => {
      const { messages } = await me.must('GET', '/messages', {
        ...ALL,
        narrow: [['search', 'strasse größe']],
        apply_markdown: false,
      })
      const [message] = messages
      assert.equal(
        message.match_content,
        '<p>The <strong><span class="highlight">Straße</span></strong> to İstanbul</p>',
      )
      assert.equal(message.match_subject, '<span class="highlight">Größe</span> &lt;x&gt;')
      assert.equal(message.content, texts[0])
      const [plain] = (await me.must('GET', '/messages', { message_ids: [ids[0]], narrow: [] })).messages
      assert.ok(!('match_content' in plain) && !('match_subject' in plain))
    })

    test('around an anchor, page by page', async () => {
      const range = async (parameters: object) =>
        (await me.must('GET', '/messages', { narrow: [['search', 'größe']], ...parameters })).messages.map(
          (message: { id: number }) => message.id,
        )
      assert.deepEqual(await range({ anchor: ids[3], num_before: 1, num_after: 2 }), ids.slice(2, 6))
      assert.deepEqual(await range({ anchor: 'oldest', num_before: 0, num_after: 2 }), ids.slice(0, 2))
      assert.deepEqual(await range({ message_ids: ids.slice(1, 3) }), ids.slice(1, 3))
    })
  })

  test('dates: the first message at or after, in UTC unless they say otherwise; none is the newest', async () => {
    const at = async (anchor_date: string, parameters: object = {}) =>
      me.must('GET', '/messages', {
        anchor: 'date',
        anchor_date,
        num_before: 0,
        num_after: 0,
        narrow: [['channel', channel]],
        ...parameters,
      })
    assert.equal((await at('2001-01-01')).anchor, sent.plain)
    assert.equal((await at('2001-01-01T12:00:00+02:00')).messages[0].id, sent.plain)
    assert.equal((await at('2999-01-01T00:00')).anchor, 10 ** 16)
    await change('update message set sent_at = 1000000000 where id <= ?', [sent.resolved])
    assert.equal((await at('2001-09-09T01:46:40Z')).anchor, sent.plain)
    assert.equal((await at('2001-09-09T01:46:41Z')).anchor, sent.mention)
    assert.equal((await at('2001-09-09T01:46:41Z', { narrow: [['sender', me.email]] })).anchor, sent.own)
    const refusal = async (parameters: object) =>
      (await me.get('/messages', { anchor: 'date', num_before: 0, num_after: 0, ...parameters })).body.msg
    assert.equal(await refusal({}), "Missing 'anchor_date' argument")
    assert.equal(await refusal({ anchor_date: 'yesterday' }), 'anchor_date is not an ISO 8601 date or time')
    assert.match(
      await refusal({
        message_ids: [1],
        anchor: undefined,
        anchor_date: '2001-01-01',
        num_before: undefined,
        num_after: undefined,
      }),
      /^Unsupported parameter combination: message_ids, anchor_date/,
    )
  })

  test('every error is BAD_NARROW with desc', async () => {
    const cases: [unknown[], string][] = [
      [[['is', 'blue']], "unknown 'is' operand blue"],
      [[['has', 'wings']], "unknown 'has' operand wings"],
      [[['in', 'out']], "unknown 'in' operand out"],
      [[['channels', 'archived']], 'unknown channels operand archived'],
      [[['id', 'x']], 'Invalid message ID'],
      [[['id', '99999999999999999999']], 'Invalid message ID'],
      [[['with', '-1']], 'Invalid message ID'],
      [[['mentions', 'no@body']], 'unknown user no@body'],
      [[['dm-including', 'no@body']], 'unknown user no@body'],
      [[{ operator: 'group-pm-with', operand: 99_999 }], 'unknown user 99999'],
      [[{ operator: 'id', operand: 1e20 }], 'unknown id: the number is larger than any ID'],
      [[{ operator: 'channel', operand: -1e20 }], 'unknown channel: the number is larger than any ID'],
      [[{ operator: 'dm', operand: [1, 1e20] }], 'unknown dm: the number is larger than any ID'],
      [
        [
          ['is', 'dm'],
          ['topic', 'x'],
        ],
        'No message can be both a channel message and direct message',
      ],
      [
        [
          ['channels', 'public'],
          ['dm-including', other.email],
        ],
        'No message can be both a channel message and direct message',
      ],
    ]
    for (const [narrow, desc] of cases) {
      const { status, body } = await me.get('/messages', { ...ALL, narrow })
      assert.deepEqual(
        [status, body],
        [400, { result: 'error', msg: `Invalid narrow operator: ${desc}`, code: 'BAD_NARROW', desc }],
      )
    }
    const term = ['with', '1']
    for (const narrow of [[term, term], [not('with', '1')]]) {
      const { body } = await me.get('/messages', { ...ALL, narrow })
      assert.equal(body.code, 'BAD_NARROW')
      assert.match(body.msg, /^Invalid narrow operator combination: with /)
    }
    const { body } = await me.get('/messages', { ...ALL, narrow: [['search', ' ']] })
    assert.equal(body.msg, 'narrow[0]["operand"] cannot be blank')
    assert.equal(
      (await me.get('/messages', { ...ALL, narrow: [{ operator: 'is', operand: 1 }] })).body.msg,
      'narrow[0]["operand"] is not a string',
    )
  })
})
