import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const NEWEST = 10_000_000_000_000_000
const EVERYTHING = { anchor: 'newest', num_before: 1000, num_after: 0 }

onEachDatabase('GET /messages', (dialect) => {
  const parley = sharedParley(dialect)
  let member: ApiClient
  let channel: string
  /** Messages of the channel, ascending. */
  const ids: number[] = []

  before(async () => {
    const server = await parley()
    member = server.as('member')
    channel = (await server.newChannel([member])).name
    for (const content of ['m1', 'm2', 'm3']) ids.push(await member.send(channel, content))
  })

  const inChannel = () => [{ operator: 'channel', operand: channel }]
  async function fetched(parameters: Record<string, unknown>) {
    const body = await member.must('GET', '/messages', { narrow: inChannel(), ...parameters })
    return { ...body, ids: body.messages.map((message: { id: number }) => message.id) }
  }
  const error = async (parameters: Record<string, unknown>) => {
    const { status, body } = await member.get('/messages', parameters)
    assert.equal(status, 400)
    return body
  }

  test('an anchor beyond the newest message is the newest', async () => {
    // Includes values that programs use for "as large as possible": 2^63 - 1, and the next power of ten.
    for (const anchor of [NEWEST, '10000000000000001', '9223372036854775807', '100000000000000000000']) {
      const high = await fetched({ anchor, num_before: 1, num_after: 0 })
      assert.deepEqual([high.anchor, high.ids, high.found_newest], [NEWEST, ids.slice(-1), true], String(anchor))
    }
  })

  test('message_ids returns each message once, without an anchor, and omits unknown ones', async () => {
    const body = await fetched({ message_ids: [ids[2], ids[0], ids[2], (ids[2] ?? 0) + 1, 999_999] })
    assert.deepEqual(body.ids, [ids[0], ids[2]])
    assert.ok(!('anchor' in body))
    assert.deepEqual([body.found_anchor, body.found_newest, body.found_oldest], [false, false, false])
    assert.deepEqual((await fetched({ message_ids: [] })).ids, [])
  })

  test('at most 5,000 are returned, and the error says so', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => (ids[0] ?? 0) + index)
    for (const parameters of [{ anchor: 'newest', num_before: 5000, num_after: 0 }, { message_ids: many }]) {
      assert.deepEqual((await fetched(parameters)).ids, ids)
    }
    for (const parameters of [{ anchor: 'newest', num_before: 5000, num_after: 1 }, { message_ids: [...many, 1] }]) {
      assert.equal((await error(parameters)).msg, 'Too many messages requested (maximum 5000).')
    }
    const matching = await member.get('/messages/matches_narrow', { msg_ids: [...many, 1], narrow: [] })
    assert.equal(matching.body.msg, 'Too many messages requested (maximum 5000).')
  })

  test('parameters require or exclude each other', async () => {
    const range = { anchor: 1, num_before: 1, num_after: 1 }
    for (const name of ['anchor', 'num_before', 'num_after']) {
      const body = await error({ ...range, [name]: undefined })
      assert.deepEqual([body.code, body.var_name], ['REQUEST_VARIABLE_MISSING', name])
    }
    const excluded = { ...range, include_anchor: false, use_first_unread_anchor: true }
    for (const [name, value] of Object.entries(excluded)) {
      const body = await error({ message_ids: [ids[0]], [name]: value })
      assert.match(body.msg, /^Unsupported parameter combination: /)
      assert.deepEqual(body.parameters.split(', ').toSorted(), ['message_ids', name].toSorted())
    }
    assert.equal((await error({ ...range, anchor: 'tomorrow' })).msg, 'Invalid anchor')
  })

  test('a term that cannot be found is named in desc', async () => {
    const mixed = 'No message can be both a channel message and direct message'
    const cases: [string, unknown, string][] = [
      ['toString', 'x', 'unknown operator toString'],
      ['channel', 'leads', 'unknown channel leads'],
      ['channels', 'archived', 'unknown channels operand archived'],
      ['sender', 'no@body', 'unknown user no@body'],
      ['dm', [1, 99_999], 'unknown user in 1,99999'],
      ['in', 'out', "unknown 'in' operand out"],
      ['id', 'x', 'Invalid message ID'],
      ['with', '-1', 'Invalid message ID'],
    ]
    const narrows: [unknown[], string][] = [
      ...cases.map(([operator, operand, desc]): [unknown[], string] => [[{ operator, operand }], desc]),
      [[['channel', 'general']].concat([['dm', 'owner@parley.example']]), mixed],
      [[['is', 'dm']].concat([['topic', 'x']]), mixed],
      [[['channels', 'public']].concat([['dm-including', 'owner@parley.example']]), mixed],
    ]
    for (const [narrow, desc] of narrows) {
      const body = await error({ ...EVERYTHING, narrow })
      assert.deepEqual(body, { result: 'error', msg: `Invalid narrow operator: ${desc}`, code: 'BAD_NARROW', desc })
    }
    const term = { operator: 'with', operand: '1' }
    for (const narrow of [[term, term], [{ ...term, negated: true }]]) {
      const body = await error({ ...EVERYTHING, narrow })
      assert.equal(body.code, 'BAD_NARROW')
      assert.match(body.msg, /^Invalid narrow operator combination: with /)
    }
  })

  test('an invalid narrow says where it is wrong', async () => {
    const cases: [unknown, RegExp][] = [
      [[5], /^narrow\[0\] is not /],
      [[['channel']], /^narrow\[0\] /],
      [[['a', 'b', 'c']], /^narrow\[0\] /],
      [[{ operator: 'topic', operand: 5 }], /^narrow\[0\]\["operand"\] is not a string$/],
      [[{ operator: 'is', operand: 1 }], /^narrow\[0\]\["operand"\] is not a string$/],
      [[{ operator: 'sender', operand: [1] }], /^narrow\[0\]\["operand"\] is not /],
      [[['search', ' ']], /^narrow\[0\]\["operand"\] cannot be blank$/],
      [
        [...inChannel(), { operator: 'topic', operand: 'x', negated: 'yes' }],
        /^narrow\[1\]\["negated"\] is not a boolean$/,
      ],
      [Array(101).fill(['sender', 'no@body']), /^narrow is too long \(limit: 100 items\)$/],
    ]
    for (const [narrow, message] of cases) {
      const body = await error({ ...EVERYTHING, narrow })
      assert.equal(body.code, 'BAD_REQUEST')
      assert.match(body.msg, message)
    }
    const narrow = Array(100).fill(['channel', channel])
    assert.deepEqual((await fetched({ ...EVERYTHING, narrow })).ids, ids, 'a hundred terms are run')
  })
})
