import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /messages/matches_narrow', (dialect) => {
  const parley = sharedParley(dialect)
  let reader: ApiClient
  let writer: ApiClient
  let channel: string
  let plain: number
  let link: number
  let direct: number
  let theirs: number

  before(async () => {
    const server = await parley()
    reader = server.as('member')
    writer = server.as('owner')
    channel = server.unique('Matching')
    await writer.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: channel }],
      principals: [reader.userId, writer.userId],
    })
    const send = async (parameters: object): Promise<number> =>
      (await writer.must('POST', '/messages', { type: 'channel', to: channel, topic: 'a<b', ...parameters })).id
    plain = await send({ content: 'nothing special' })
    link = await send({ content: 'see https://example.com/' })
    direct = await send({ type: 'direct', to: [reader.userId], content: 'special' })
    theirs = await send({ type: 'direct', to: [writer.userId], content: 'special' })
  })

  const matching = async (narrow: unknown[], client = reader) =>
    (
      await client.must('GET', '/messages/matches_narrow', {
        narrow,
        msg_ids: [link, theirs, direct, 2_000_000_000, plain],
      })
    ).messages
  const keys = (messages: object): number[] => Object.keys(messages).map(Number)

  test('a record for each message that matches and may be found (NARROW-4 to NARROW-6, NARROW-11, NARROW-13, NARROW-14)', async () => {
    assert.deepEqual(keys(await matching([])), [plain, link, direct])
    assert.deepEqual(keys(await matching([['channel', channel]])), [plain, link])
    assert.deepEqual(keys(await matching([{ operator: 'channel', operand: channel }])), [plain, link])
    assert.deepEqual(
      keys(
        await matching([
          { operator: 'channel', operand: channel },
          { operator: 'has', operand: 'link', negated: true },
        ]),
      ),
      [plain],
    )
    assert.deepEqual(await matching([], (await parley()).as('guest')), {})
  })

  test('HTML of content and topic, with what was searched for marked (NARROW-7 to NARROW-10)', async () => {
    assert.deepEqual((await matching([]))[plain], {
      match_content: '<p>nothing special</p>',
      match_subject: 'a&lt;b',
    })
    assert.deepEqual(await matching([['search', 'special b']]), {
      [plain]: {
        match_content: '<p>nothing <span class="highlight">special</span></p>',
        match_subject: 'a&lt;<span class="highlight">b</span>',
      },
    })
    const { [direct]: found } = await matching([['search', 'SPECIAL']])
    assert.deepEqual(found, { match_content: '<p><span class="highlight">special</span></p>', match_subject: '' })
  })

  test('bad input is refused by name (NARROW-1 to NARROW-3, NARROW-12, NARROW-15)', async () => {
    const refusal = async (parameters: object) =>
      (await reader.get('/messages/matches_narrow', { msg_ids: [1], narrow: [], ...parameters })).body
    assert.equal((await refusal({ msg_ids: undefined })).msg, "Missing 'msg_ids' argument")
    assert.equal((await refusal({ narrow: undefined })).msg, "Missing 'narrow' argument")
    assert.equal((await refusal({ msg_ids: 5 })).msg, 'msg_ids is not a list')
    assert.equal((await refusal({ narrow: [{ operand: 'x' }] })).msg, 'narrow[0]["operator"] field is missing')
    assert.equal((await refusal({ narrow: [['xyz', 'x']] })).code, 'BAD_NARROW')
    const many = Array.from({ length: 5001 }, (_, index) => index)
    assert.equal((await refusal({ msg_ids: many })).msg, 'Too many messages requested (maximum 5000).')
  })
})
