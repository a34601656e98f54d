import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_DRAFT_BYTES, MAX_DRAFTS } from '../../domain/drafts/drafts.ts'
import { type ApiClient, onEachDatabase, sharedParley, type TestServer } from '../../server/testing.ts'

interface Draft {
  readonly id: number
  readonly type: string
  readonly to: readonly number[]
  readonly topic: string
  readonly content: string
  readonly timestamp: number
}

/** Creates a channel owned by `user`. @returns its id */
async function newChannel(server: TestServer, user: ApiClient, more: object = {}): Promise<number> {
  const name = server.unique('drafts')
  await user.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...more })
  return (await user.must('GET', '/get_stream_id', { stream: name })).stream_id
}

const plain = { type: '', to: [], topic: '', content: 'Hm' }

onEachDatabase('drafts', (dialect) => {
  const parley = sharedParley(dialect)

  const create = async (user: ApiClient, ...drafts: readonly object[]): Promise<number[]> =>
    (await user.must('POST', '/drafts', { drafts })).ids
  const listed = async (user: ApiClient): Promise<readonly Draft[]> => (await user.must('GET', '/drafts')).drafts
  const refusal = async (user: ApiClient, draft: object): Promise<string> => {
    const { status, body } = await user.post('/drafts', { drafts: [plain, { ...plain, ...draft }] })
    assert.equal(status, 400)
    assert.equal(body.code, 'BAD_REQUEST')
    return body.msg
  }

  test('kept, replaced and deleted, told to their owner alone', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const register = (one: ApiClient) => one.must('POST', '/register', { event_types: ['drafts'] })
    const [own, others] = [await register(user), await register(other)]
    assert.deepEqual(own.drafts, [])
    const channelId = await newChannel(server, user)
    const first = { type: 'stream', to: [channelId], topic: 'lunch', content: 'Who is', timestamp: 1_700_000_000.6 }
    const second = { type: 'private', to: [other.userId, user.userId], topic: 'none', content: ' Hi\n' }
    const before = Math.floor(Date.now() / 1000)
    const ids = await create(user, first, second)
    const kept = await listed(user)
    assert.deepEqual(
      kept.map(({ id }) => id),
      ids,
    )
    assert.deepEqual(kept[0], { ...first, id: ids[0], timestamp: 1_700_000_000 })
    const { timestamp, ...rest } = kept[1] as Draft
    assert.ok(timestamp >= before && timestamp <= Date.now() / 1000)
    assert.deepEqual(rest, { id: ids[1], type: 'private', to: [other.userId], topic: '', content: ' Hi' })

    const changed = { ...plain, to: [1], content: 'Who is hungry?', timestamp: 1_800_000_000 }
    await user.must('PATCH', `/drafts/${ids[0]}`, { draft: changed })
    const replaced = { ...changed, to: [], id: ids[0] }
    assert.deepEqual(await listed(user), [kept[1], replaced])
    assert.deepEqual((await register(user)).drafts, [replaced, kept[1]])
    await user.must('DELETE', `/drafts/${ids[1]}`)
    assert.deepEqual(await listed(user), [replaced])

    const hear = async (one: ApiClient, { queue_id, last_event_id }: typeof own) =>
      (await one.must('GET', '/events', { queue_id, last_event_id, dont_block: true })).events.map(
        ({ id: _, ...event }: { id: number }) => event,
      )
    assert.deepEqual(await hear(user, own), [
      { type: 'drafts', op: 'add', drafts: kept },
      { type: 'drafts', op: 'update', draft: replaced },
      { type: 'drafts', op: 'remove', draft_id: ids[1] },
    ])
    assert.deepEqual(await hear(other, others), [])
  })

  test('those of others, and those that are not there, answer alike', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const [id] = await create(user, plain)
    for (const unknown of [String(id), '99999', '99999999999999999999']) {
      for (const answer of [
        await other.patch(`/drafts/${unknown}`, { draft: plain }),
        await other.patch(`/drafts/${unknown}`, { draft: { ...plain, content: '' } }),
        await other.delete(`/drafts/${unknown}`),
      ]) {
        assert.deepEqual(
          [answer.status, answer.body.code, answer.body.msg],
          [404, 'BAD_REQUEST', 'Draft does not exist'],
        )
      }
    }
    assert.equal((await listed(user)).length, 1)
    assert.deepEqual(await listed(other), [])
  })

  test('recipients and texts are checked, and nothing is kept where one draft is wrong (DRAFT-3, DRAFT-7, DRAFT-8)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const secret = await newChannel(server, await server.newUser(), { invite_only: true })
    for (const [draft, message] of [
      [{ type: 'stream' }, 'Must specify exactly 1 channel ID for channel messages'],
      [{ type: 'stream', to: [1, 2] }, 'Must specify exactly 1 channel ID for channel messages'],
      [{ type: 'stream', to: [99_999] }, 'Invalid channel ID'],
      [{ type: 'stream', to: [secret] }, 'Invalid channel ID'],
      [{ type: 'private', to: [user.userId, 99_999] }, 'Invalid user ID 99999'],
      [{ type: 'private', to: [99_999_999_999] }, 'Invalid user ID 99999999999'],
      [{ type: 'stream', to: [1], topic: 'a\0b' }, 'Topic must not contain null bytes'],
      [{ content: 'a\0b' }, 'Message must not contain null bytes'],
      [{ content: ' \n' }, 'drafts[1]["content"] cannot be blank'],
      [{ timestamp: -1 }, 'Timestamp must not be negative.'],
      [{ type: 'channel' }, 'Invalid drafts[1]["type"]'],
      [{ to: ['a'] }, 'drafts[1]["to"][0] is not an integer'],
      [{ x: 1 }, 'Argument "x" at drafts[1] is unexpected'],
      [{ topic: undefined }, 'drafts[1]["topic"] field is missing'],
    ] as const) {
      assert.equal(await refusal(user, draft), message)
    }
    const id = await newChannel(server, user)
    const right = await create(user, { ...plain, type: 'stream', to: [id] })
    const { body } = await user.patch(`/drafts/${right}`, { draft: { ...plain, content: '' } })
    assert.equal(body.msg, 'draft["content"] cannot be blank')
    assert.equal((await listed(user)).length, 1)
  })

  test('guests and bots keep them too, whatever fits is kept as it is, and the same once more is a replacement', async () => {
    const server = await parley()
    for (const user of [server.as('guest'), server.as('bot')]) {
      const channel = await user.must('GET', '/get_stream_id', { stream: 'general' })
      const draft = {
        ...{ type: 'stream', to: [channel.stream_id], topic: '\u{1f419}'.repeat(60) },
        ...{ content: '\u{1f419}'.repeat(10_000), timestamp: Number.MAX_SAFE_INTEGER },
      }
      const [id] = await create(user, draft)
      for (let time = 0; time < 2; time += 1) await user.must('PATCH', `/drafts/${id}`, { draft })
      assert.deepEqual(
        (await listed(user)).find((one) => one.id === id),
        { ...draft, id },
      )
      const self = { ...plain, type: 'private', to: [user.userId, user.userId] }
      const [own] = await create(user, self)
      assert.deepEqual((await listed(user)).find((one) => one.id === own)?.to, [user.userId])
    }
    const crowd = { type: 'private', to: Array.from({ length: 501 }, () => 1) }
    assert.match(await refusal(server.as('guest'), crowd), /too long/)
  })

  test('long texts are cut, and the name of the empty topic is the empty topic (DRAFT-9, EMPTY-7)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const id = await newChannel(server, user)
    const of = (topic: string, content = 'x') => ({ ...plain, type: 'stream', to: [id], topic, content })
    await create(user, of('t'.repeat(61), 'x'.repeat(10_001)), of('general chat'))
    const [long, empty] = await listed(user)
    assert.equal(long?.topic, `${'t'.repeat(57)}...`)
    assert.equal(long?.content.length, 10_000)
    assert.match(long?.content ?? '', /\n\[message truncated\]$/)
    assert.equal(empty?.topic, '')
  })

  test('whoever does not want them on the server has none there (DRAFT-6, NOTE-18)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const other = await server.newUser()
    const [id] = await create(user, plain)
    await create(other, plain)
    await user.must('PATCH', '/settings', { enable_drafts_synchronization: false })
    for (const answer of [
      await user.get('/drafts'),
      await user.post('/drafts', { drafts: [plain] }),
      await user.post('/drafts', { drafts: [{ ...plain, content: '' }] }),
      await user.patch(`/drafts/${id}`, { draft: plain }),
      await user.patch(`/drafts/${id}`, { draft: { ...plain, content: '' } }),
      await user.delete(`/drafts/${id}`),
    ]) {
      assert.deepEqual([answer.status, answer.body.msg], [400, 'User has disabled synchronizing drafts.'])
    }
    assert.deepEqual((await user.must('POST', '/register', { fetch_event_types: ['drafts'] })).drafts, [])
    await user.must('PATCH', '/settings', { enable_drafts_synchronization: true })
    assert.deepEqual(await listed(user), [])
    assert.equal((await listed(other)).length, 1)
  })

  test('an account keeps so much text (DIFF-DRAFTS)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const content = '\u{1f419}'.repeat(10_000)
    const fitting = Math.floor(MAX_DRAFT_BYTES / Buffer.byteLength(content))
    for (let kept = 0; kept < fitting; kept += 8) {
      await create(user, ...Array.from({ length: Math.min(8, fitting - kept) }, () => ({ ...plain, content })))
    }
    const [id] = await create(user, plain)
    for (const answer of [
      await user.post('/drafts', { drafts: [plain, { ...plain, content }] }),
      await user.patch(`/drafts/${id}`, { draft: { ...plain, content } }),
    ]) {
      assert.match(answer.body.msg, /^Your drafts are too long/)
    }
    const all = await listed(user)
    assert.equal(all.length, fitting + 1)
    assert.equal(all.find((one) => one.id === id)?.content, plain.content)
  })

  test('an account keeps so many (DIFF-DRAFTS)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const ids = await create(
      user,
      ...Array.from({ length: MAX_DRAFTS }, (_, index) => ({ ...plain, content: `${index}` })),
    )
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(ids).size, MAX_DRAFTS)
    assert.deepEqual(
      (await listed(user)).map(({ content }) => content),
      ids.map((_, index) => `${index}`),
    )
    assert.match((await user.post('/drafts', { drafts: [plain] })).body.msg, /too many drafts/)
    assert.deepEqual(await create(user), [])
    await user.must('DELETE', `/drafts/${ids[0]}`)
    await create(user, plain)
  })
})
