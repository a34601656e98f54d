import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_DRAFT_BYTES, MAX_DRAFTS } from '../../domain/drafts/drafts.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

interface Draft {
  readonly id: number
  readonly to: readonly number[]
  readonly content: string
  readonly timestamp: number
}

const plain = { type: '', to: [], topic: '', content: 'Hm' }

onEachDatabase('drafts', (dialect) => {
  const parley = sharedParley(dialect)

  const create = async (user: ApiClient, ...drafts: readonly object[]): Promise<number[]> =>
    (await user.must('POST', '/drafts', { drafts })).ids
  const listed = async (user: ApiClient): Promise<readonly Draft[]> => (await user.must('GET', '/drafts')).drafts

  test('an unknown draft is reported before invalid content', async () => {
    const user = await (await parley()).newUser()
    for (const unknown of ['99999', '99999999999999999999']) {
      const { status, body } = await user.patch(`/drafts/${unknown}`, { draft: { ...plain, content: '' } })
      assert.deepEqual([status, body.code, body.msg], [404, 'BAD_REQUEST', 'Draft does not exist'])
    }
    await user.must('PATCH', '/settings', { enable_drafts_synchronization: false })
    const { body } = await user.post('/drafts', { drafts: [{ ...plain, content: '' }] })
    assert.equal(body.msg, 'User has disabled synchronizing drafts.')
  })

  test('a draft with unknown recipients is refused, and one with too many', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { id: secret } = await server.newChannel([await server.newUser()], { invite_only: true })
    const { ids } = await user.must('POST', '/drafts', { drafts: [plain] })
    for (const [draft, message] of [
      [{ type: 'stream', to: [99_999] }, /^Invalid channel ID$/],
      [{ type: 'stream', to: [secret] }, /^Invalid channel ID$/],
      [{ type: 'private', to: [user.userId, 99_999] }, /^Invalid user ID 99999$/],
      [{ type: 'private', to: [99_999_999_999] }, /^Invalid user ID 99999999999$/],
      [{ type: 'private', to: Array.from({ length: 501 }, () => 1) }, /too long/],
      [{ content: 'a\0b' }, /^Message must not contain null bytes$/],
    ] as const) {
      const { body } = await user.post('/drafts', { drafts: [plain, { ...plain, ...draft }] })
      assert.match(body.msg, message)
    }
    const { body } = await user.patch(`/drafts/${ids[0]}`, { draft: { ...plain, content: '' } })
    assert.equal(body.msg, 'draft["content"] cannot be blank')
  })

  test('guests and bots keep drafts; text is kept as it is, and oneself as recipient only if alone', async () => {
    const server = await parley()
    for (const user of [server.as('guest'), server.as('bot')]) {
      const { stream_id } = await user.must('GET', '/get_stream_id', { stream: 'general' })
      const texts = { topic: '\u{1f419}'.repeat(60), content: '\u{1f419}'.repeat(10_000) }
      const longest = { type: 'stream', to: [stream_id], ...texts, timestamp: 32_503_680_000 }
      const other = server.as('owner').userId
      const ids = await create(
        user,
        longest,
        { ...plain, type: 'private', to: [user.userId, user.userId] },
        { ...plain, type: 'private', to: [other, user.userId], content: ' Hi\n', timestamp: 1_700_000_000.6 },
        { ...plain, to: [other] },
      )
      for (let time = 0; time < 2; time += 1) await user.must('PATCH', `/drafts/${ids[0]}`, { draft: longest })
      const all = await listed(user)
      const [long, own, both, nobody] = ids.map((id) => all.find((one) => one.id === id))
      assert.deepEqual(long, { ...longest, id: ids[0] })
      assert.deepEqual(own?.to, [user.userId])
      assert.deepEqual(nobody?.to, [], 'without a type nobody is meant')
      assert.deepEqual([both?.to, both?.content, both?.timestamp], [[other], ' Hi', 1_700_000_000])
    }
  })

  test('an account has a limited size of drafts (DIFF-DRAFTS)', async () => {
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

  test('an account has a limited number of drafts (DIFF-DRAFTS)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const many = Array.from({ length: MAX_DRAFTS }, (_, index) => ({ ...plain, content: `${index}` }))
    const ids = await create(user, ...many)
    const found = (await listed(user)).map(({ id, content }) => [id, content])
    assert.deepEqual(
      found,
      ids.map((id, index) => [id, `${index}`]),
    )
    assert.match((await user.post('/drafts', { drafts: [plain] })).body.msg, /too many drafts/)
    assert.deepEqual(await create(user), [])
    await user.must('DELETE', `/drafts/${ids[0]}`)
    await create(user, plain)
  })
})
