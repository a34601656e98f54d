import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const NEWEST = 10_000_000_000_000_000

onEachDatabase('GET /messages', (dialect) => {
  const parley = sharedParley(dialect)
  let member: ApiClient
  let other: ApiClient
  let channel: string
  /** Ten messages of the channel, ascending; those with odd numbers in topic `odd`. */
  let ids: number[]

  before(async () => {
    const server = await parley()
    member = server.as('member')
    other = server.as('member2')
    channel = server.unique('Reading')
    await member.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: channel }],
      principals: [member.userId, other.userId],
    })
    ids = []
    for (let index = 1; index <= 10; index++) {
      const sender = index % 3 === 0 ? other : member
      const topic = index % 2 === 1 ? 'odd' : 'even'
      const { id } = await sender.must('POST', '/messages', {
        type: 'channel',
        to: channel,
        topic,
        content: `m${index}`,
      })
      ids.push(id)
      // Others send in between, so that ids within the narrow are not consecutive.
      await server
        .as('owner')
        .must('POST', '/messages', { type: 'channel', to: 'general', topic: 'noise', content: 'x' })
    }
  })

  const inChannel = () => [{ operator: 'channel', operand: channel }]
  const at = (index: number): number => ids.at(index) ?? Number.NaN
  async function fetched(parameters: Record<string, unknown>, client = member) {
    const body = await client.must('GET', '/messages', { narrow: inChannel(), ...parameters })
    return { ...body, ids: body.messages.map((message: { id: number }) => message.id) }
  }
  const error = async (parameters: Record<string, unknown>, client = member) => {
    const { status, body } = await client.get('/messages', parameters)
    assert.equal(status, 400)
    assert.equal(body.result, 'error')
    return body
  }

  describe('anchors and ranges', () => {
    test('around a message: ascending, the anchor included', async () => {
      const body = await fetched({ anchor: at(4), num_before: 2, num_after: 3 })
      assert.deepEqual(body.ids, ids.slice(2, 8))
      assert.equal(body.anchor, at(4))
      assert.deepEqual([body.found_anchor, body.found_oldest, body.found_newest], [true, false, false])
      assert.equal(body.history_limited, false)
    })

    test('the ends are found when a side has less than was asked for', async () => {
      const all = await fetched({ anchor: at(4), num_before: 5, num_after: 6 })
      assert.deepEqual(all.ids, ids)
      assert.deepEqual([all.found_oldest, all.found_newest], [true, true])
      const exactly = await fetched({ anchor: at(4), num_before: 4, num_after: 5 })
      assert.deepEqual(exactly.ids, ids)
      assert.deepEqual([exactly.found_oldest, exactly.found_newest], [false, false])
    })

    test('newest answers 10^16, oldest 0, both know their end', async () => {
      const newest = await fetched({ anchor: 'newest', num_before: 3, num_after: 0 })
      assert.deepEqual(newest.ids, ids.slice(-3))
      assert.deepEqual(
        [newest.anchor, newest.found_anchor, newest.found_newest, newest.found_oldest],
        [NEWEST, false, true, false],
      )
      const oldest = await fetched({ anchor: 'oldest', num_before: 0, num_after: 3 })
      assert.deepEqual(oldest.ids, ids.slice(0, 3))
      assert.deepEqual(
        [oldest.anchor, oldest.found_anchor, oldest.found_newest, oldest.found_oldest],
        [0, false, false, true],
      )
    })

    test('numbers beyond the ends are the ends', async () => {
      assert.deepEqual((await fetched({ anchor: NEWEST, num_before: 1, num_after: 0 })).ids, ids.slice(-1))
      // Includes values that programs use for "as large as possible": 2^63 - 1, and the next power of ten.
      for (const anchor of ['10000000000000001', '9223372036854775807', '100000000000000000000']) {
        const high = await fetched({ anchor, num_before: 1, num_after: 0 })
        assert.deepEqual([high.anchor, high.ids, high.found_newest], [NEWEST, ids.slice(-1), true], anchor)
      }
      for (const anchor of ['-5', '-9223372036854775808']) {
        const low = await fetched({ anchor, num_before: 0, num_after: 1 })
        assert.deepEqual([low.anchor, low.ids, low.found_oldest], [0, ids.slice(0, 1), true], anchor)
      }
    })

    test('an anchor that does not match is not found, its neighbours are', async () => {
      const between = at(4) + 1
      const body = await fetched({ anchor: between, num_before: 1, num_after: 1 })
      assert.deepEqual([body.ids, body.found_anchor, body.anchor], [ids.slice(4, 6), false, between])
    })

    test('no range, only the anchor', async () => {
      const body = await fetched({ anchor: at(4), num_before: 0, num_after: 0 })
      assert.deepEqual([body.ids, body.found_anchor], [[at(4)], true])
      const nothing = await fetched({ anchor: at(4) + 1, num_before: 0, num_after: 0 })
      assert.deepEqual([nothing.ids, nothing.found_anchor], [[], false])
    })

    test('include_anchor false leaves it out, at an end only', async () => {
      const after = await fetched({ anchor: at(4), num_before: 0, num_after: 2, include_anchor: false })
      assert.deepEqual([after.ids, after.found_anchor], [ids.slice(5, 7), false])
      const before = await fetched({ anchor: at(4), num_before: 2, num_after: 0, include_anchor: false })
      assert.deepEqual(before.ids, ids.slice(2, 4))
      const body = await error({ anchor: at(4), num_before: 1, num_after: 1, include_anchor: false })
      assert.equal(body.msg, 'The anchor can only be excluded at an end of the range')
    })

    test('first_unread is the oldest unread match, in both spellings; none is the newest', async () => {
      const [unread] = ids.filter((_, index) => (index + 1) % 3 === 0)
      const range = { num_before: 0, num_after: 0 }
      for (const anchor of [
        { anchor: 'first_unread' },
        { use_first_unread_anchor: true, anchor: 7 },
        { use_first_unread_anchor: true },
      ]) {
        const body = await fetched({ ...anchor, ...range })
        assert.deepEqual([body.anchor, body.ids], [unread, [unread]])
      }
      const mine = [...inChannel(), { operator: 'sender', operand: member.userId }]
      assert.equal((await fetched({ anchor: 'first_unread', ...range, narrow: mine })).anchor, NEWEST)
    })

    test('at most 5,000, and the message says so', async () => {
      assert.deepEqual((await fetched({ anchor: 'newest', num_before: 5000, num_after: 0 })).ids, ids)
      const body = await error({ anchor: 'newest', num_before: 5000, num_after: 1 })
      assert.equal(body.msg, 'Too many messages requested (maximum 5000).')
    })

    test('name what is missing or wrong (ENV-18, ENV-19)', async () => {
      for (const name of ['anchor', 'num_before', 'num_after']) {
        const body = await error({ anchor: 1, num_before: 1, num_after: 1, [name]: undefined })
        assert.deepEqual(
          [body.code, body.var_name, body.msg],
          ['REQUEST_VARIABLE_MISSING', name, `Missing '${name}' argument`],
        )
      }
      const range = { anchor: 1, num_before: 1, num_after: 1 }
      assert.equal((await error({ ...range, anchor: 'tomorrow' })).msg, 'Invalid anchor')
      assert.equal((await error({ ...range, num_before: -1 })).msg, 'num_before is too small')
      assert.equal((await error({ ...range, num_after: 'x' })).msg, 'num_after is not an integer')
      assert.equal((await error({ ...range, apply_markdown: 1 })).msg, 'apply_markdown is not a boolean')
    })
  })

  describe('message_ids', () => {
    test('those that match, ascending, once, without an anchor', async () => {
      const body = await fetched({ message_ids: [at(3), at(1), at(3), at(1) + 1, 999_999] })
      assert.deepEqual(body.ids, [at(1), at(3)])
      assert.ok(!('anchor' in body))
      assert.deepEqual([body.found_anchor, body.found_newest, body.found_oldest], [false, false, false])
      assert.deepEqual((await fetched({ message_ids: [] })).ids, [])
    })

    test('what may not be read is left out', async () => {
      const owner = (await parley()).as('owner')
      const secret = await owner.must('POST', '/messages', { type: 'direct', to: [owner.userId], content: 'x' })
      assert.deepEqual((await fetched({ message_ids: [secret.id, at(0)], narrow: [] })).ids, [at(0)])
    })

    test('exclude every anchor parameter (incompatible parameters), at most 5,000', async () => {
      const excluded = { anchor: 1, num_before: 1, num_after: 1, include_anchor: false, use_first_unread_anchor: true }
      for (const [name, value] of Object.entries(excluded)) {
        const body = await error({ message_ids: [at(0)], [name]: value })
        assert.equal(body.code, 'BAD_REQUEST')
        assert.match(body.msg, /^Unsupported parameter combination: /)
        assert.deepEqual(body.parameters.split(', ').toSorted(), ['message_ids', name].toSorted())
      }
      const many = Array.from({ length: 5000 }, (_, index) => at(0) + index)
      assert.deepEqual((await fetched({ message_ids: many })).ids, ids)
      const body = await error({ message_ids: [...many, 1] })
      assert.equal(body.msg, 'Too many messages requested (maximum 5000).')
      assert.equal((await error({ message_ids: ['x'] })).msg, 'message_ids[0] is not an integer')
    })
  })

  describe('narrows', () => {
    const everything = { anchor: 'newest', num_before: 1000, num_after: 0 }

    test('channel by name, id and old name, objects and pairs; topic without case', async () => {
      const { stream_id: channelId } = (await member.must('GET', `/messages/${at(0)}`)).message
      const odd = ids.filter((_, index) => index % 2 === 0)
      for (const narrow of [
        [{ operator: 'channel', operand: channel }],
        [{ operator: 'channel', operand: channelId }],
        [{ operator: 'stream', operand: channel.toUpperCase(), negated: false }],
        [['channel', channel]],
        [['stream', channel]],
      ]) {
        assert.deepEqual((await fetched({ ...everything, narrow })).ids, ids, JSON.stringify(narrow))
        const topic = [...narrow, Array.isArray(narrow[0]) ? ['topic', 'ODD'] : { operator: 'topic', operand: 'ODD' }]
        assert.deepEqual((await fetched({ ...everything, narrow: topic })).ids, odd)
      }
      assert.deepEqual(
        (await fetched({ ...everything, narrow: JSON.stringify(JSON.stringify(inChannel())) })).ids,
        ids,
        'encoded twice',
      )
    })

    test('the empty topic by either name (EMPTY-6)', async () => {
      const { id } = await member.must('POST', '/messages', {
        type: 'channel',
        to: channel,
        topic: '',
        content: 'none',
      })
      for (const operand of ['', 'general chat']) {
        const narrow = [...inChannel(), { operator: 'topic', operand }]
        assert.deepEqual((await fetched({ ...everything, narrow })).ids, [id])
      }
      ids.push(id)
    })

    test('sender by id and address, negated too', async () => {
      const theirs = ids.filter((_, index) => index < 10 && (index + 1) % 3 === 0)
      for (const operand of [other.userId, other.email, other.email.toUpperCase()]) {
        const term = { operator: 'sender', operand }
        assert.deepEqual((await fetched({ ...everything, narrow: [...inChannel(), term] })).ids, theirs)
        const rest = await fetched({ ...everything, narrow: [...inChannel(), { ...term, negated: true }] })
        assert.deepEqual(
          rest.ids,
          ids.filter((id) => !theirs.includes(id)),
        )
      }
    })

    test('dm by ids and addresses, oneself named or not, every spelling; exactly these people', async () => {
      const admin = (await parley()).as('admin')
      const pair = await member.must('POST', '/messages', { type: 'direct', to: [admin.userId], content: 'two' })
      const three = await member.must('POST', '/messages', {
        type: 'direct',
        to: [admin.userId, other.userId],
        content: 'three',
      })
      const idsOf = async (operator: string, operand: unknown) =>
        (await fetched({ ...everything, narrow: [{ operator, operand }] })).ids
      for (const operator of ['dm', 'pm-with', 'pm_with']) {
        for (const operand of [
          admin.userId,
          [admin.userId],
          [admin.userId, member.userId],
          admin.email,
          `${admin.email}, ${member.email}`,
        ]) {
          assert.deepEqual(await idsOf(operator, operand), [pair.id], JSON.stringify(operand))
        }
      }
      assert.deepEqual(await idsOf('dm', [admin.userId, other.userId]), [three.id])
      assert.deepEqual(await idsOf('dm', [(await parley()).as('moderator').userId]), [], 'no such conversation yet')
    })

    test('with a public channel all its history, without a channel what one received', async () => {
      const moderator = (await parley()).as('moderator')
      assert.deepEqual((await fetched(everything, moderator)).ids, ids)
      const feed = await fetched({ ...everything, narrow: [] }, moderator)
      assert.ok(!feed.ids.some((id: number) => ids.includes(id)))
      const topicOnly = await fetched({ ...everything, narrow: [['topic', 'odd']] }, moderator)
      assert.deepEqual(topicOnly.ids, [])
    })

    test('every error is BAD_NARROW with desc, and names the term', async () => {
      const cases: [unknown, string][] = [
        [[{ operator: 'colour', operand: 'red' }], 'unknown operator colour'],
        [[['toString', 'x']], 'unknown operator toString'],
        [[{ operator: 'channel', operand: 'nowhere' }], 'unknown channel nowhere'],
        [[{ operator: 'channel', operand: 99_999 }], 'unknown channel 99999'],
        [[{ operator: 'channel', operand: 'leads' }], 'unknown channel leads'],
        [[{ operator: 'sender', operand: 'no@body' }], 'unknown user no@body'],
        [[{ operator: 'sender', operand: 99_999 }], 'unknown user 99999'],
        [[{ operator: 'dm', operand: [1, 99_999] }], 'unknown user in 1,99999'],
        [
          [
            ['channel', 'general'],
            ['dm', 'owner@parley.example'],
          ],
          'No message can be both a channel message and direct message',
        ],
      ]
      for (const [narrow, desc] of cases) {
        const body = await error({ ...everything, narrow })
        assert.deepEqual(body, { result: 'error', msg: `Invalid narrow operator: ${desc}`, code: 'BAD_NARROW', desc })
      }
      const guest = (await parley()).as('guest')
      assert.equal((await error({ ...everything, narrow: [['channel', 'engineering']] }, guest)).code, 'BAD_NARROW')
    })

    test('malformed terms are BAD_REQUEST and say where', async () => {
      const cases: [unknown, RegExp][] = [
        ['abc', /^narrow is not valid JSON$/],
        [{}, /^narrow is not a list$/],
        [[5], /^narrow\[0\] is not /],
        [[['channel']], /^narrow\[0\] /],
        [[['a', 'b', 'c']], /^narrow\[0\] /],
        [[{ operator: 'topic' }], /^narrow\[0\]\["operand"\] field is missing$/],
        [[{ operand: 'topic' }], /^narrow\[0\]\["operator"\] field is missing$/],
        [[{ operator: 'topic', operand: 5 }], /^narrow\[0\]\["operand"\] is not a string$/],
        [[{ operator: 'sender', operand: [1] }], /^narrow\[0\]\["operand"\] is not /],
        [
          [...inChannel(), { operator: 'topic', operand: 'x', negated: 'yes' }],
          /^narrow\[1\]\["negated"\] is not a boolean$/,
        ],
      ]
      for (const [narrow, message] of cases) {
        const body = await error({ ...everything, narrow })
        assert.equal(body.code, 'BAD_REQUEST')
        assert.match(body.msg, message)
      }
    })

    test('a hundred terms are run, more are refused', async () => {
      const terms = (count: number) => [
        ...inChannel(),
        ...Array.from({ length: count - 1 }, () => ['sender', other.email]),
      ]
      const narrow = terms(100)
      assert.ok((await fetched({ ...everything, narrow })).ids.length > 0)
      assert.equal((await error({ ...everything, narrow: terms(101) })).msg, 'narrow is too long (limit: 100 items)')
    })
  })

  test('formats: Markdown, the empty topic, pictures (MSG-FIELD-8, 11 to 14, 20 to 22)', async () => {
    const only = async (parameters: Record<string, unknown>) =>
      (await fetched({ message_ids: [at(0)], ...parameters })).messages[0]
    assert.deepEqual([(await only({})).content, (await only({})).avatar_url], ['<p>m1</p>', null])
    assert.equal((await only({ apply_markdown: false })).content, 'm1')
    assert.match((await only({ client_gravatar: false })).avatar_url, /^https:/)
    const { id } = await member.must('POST', '/messages', { type: 'channel', to: channel, topic: '', content: 'e' })
    const subject = async (parameters: Record<string, unknown>) =>
      (await fetched({ message_ids: [id], ...parameters })).messages[0].subject
    assert.equal(await subject({}), 'general chat')
    assert.equal(await subject({ allow_empty_topic_name: true }), '')
  })

  test('one message reads the same here and at its own URL', async () => {
    const [here] = (await fetched({ message_ids: [at(0)], client_gravatar: false })).messages
    assert.deepEqual(here, (await member.must('GET', `/messages/${at(0)}`)).message)
  })
})
