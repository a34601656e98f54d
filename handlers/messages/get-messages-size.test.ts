import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessagePageReader } from '../../db/repositories/message-pages.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { onEachDatabase, ownParley } from '../../server/testing.ts'

const MESSAGES = 60
const REACTIONS = 60
const MIB = 2 ** 20

onEachDatabase('messages that are too long for one answer', (dialect) => {
  test('are returned in parts, nearest to the anchor first; a list of them is refused (DIFF-ANSWER-SIZE)', async (t) => {
    const server = await ownParley(t, dialect)
    const reader = await server.newUser()
    const ids: number[] = []
    for (let index = 0; index < MESSAGES; index++) ids.push(await reader.send([reader]))
    await server.inDatabase(async ({ knex }) => {
      const edit = {
        user_id: reader.userId,
        timestamp: 1,
        prev_content: 'y'.repeat(MIB / 2),
        prev_rendered_content: '',
      }
      const long = { rendered_content: 'x'.repeat(MIB / 2), edit_history: JSON.stringify([edit]), last_edited_at: 1 }
      for (const id of ids) await knex('message').where({ id }).update(long)
    })
    const page = async (anchor: number | string, num_before: number, num_after: number) => {
      const body = await reader.must('GET', '/messages', { anchor, num_before, num_after, apply_markdown: false })
      const found: number[] = body.messages.map((message: { id: number }) => message.id)
      return { found, oldest: body.found_oldest, newest: body.found_newest, anchor: body.found_anchor }
    }
    const middle = ids[MESSAGES / 2] ?? 0

    const newest = await page('newest', 5000, 0)
    assert.deepEqual(newest, { found: ids.slice(-newest.found.length), oldest: false, newest: true, anchor: false })
    assert.ok(newest.found.length >= 30 && newest.found.length < 32, `${newest.found.length} of 1 MiB each`)
    const rest = await page(newest.found[0] ?? 0, 5000, 0)
    assert.deepEqual(rest, { found: ids.slice(0, rest.found.length), oldest: true, newest: false, anchor: true })
    assert.deepEqual([...rest.found, ...newest.found.slice(1)], ids, 'page by page everything is found')

    const oldest = await page('oldest', 0, 5000)
    assert.deepEqual(oldest, { found: ids.slice(0, oldest.found.length), oldest: true, newest: false, anchor: false })
    const around = await page(middle, 2500, 2500)
    assert.deepEqual([around.oldest, around.newest, around.anchor], [false, false, true])
    const from = ids.indexOf(around.found[0] ?? 0)
    assert.deepEqual(around.found, ids.slice(from, from + around.found.length), 'without a gap')
    assert.ok(Math.abs(MESSAGES / 2 - from - around.found.length / 2) <= 1, 'the anchor is in the middle')

    for (const [path, list] of [
      ['/messages', { message_ids: ids }],
      ['/messages/matches_narrow', { msg_ids: ids, narrow: [] }],
    ] as const) {
      const { status, body } = await reader.get(path, list)
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'])
      assert.match(body.msg, /ask for fewer/)
    }
    const { messages } = await reader.must('GET', '/messages', { message_ids: ids.slice(0, 25) })
    assert.equal(messages.length, 25)
  })

  test('are long because of widgets and reactions, too', async (t) => {
    const server = await ownParley(t, dialect)
    const reader = await server.newUser()
    const ids: number[] = []
    for (let index = 0; index <= 36; index++) {
      const content = index === 0 ? 'x' : '/poll Tea?'
      ids.push(await reader.send([reader], content))
    }
    const [plain, ...widgets] = ids as [number, ...number[]]
    const message = async (id: number) => (await reader.must('GET', `/messages/${id}`)).message
    const lengthOf = async (id: number): Promise<number> => JSON.stringify(await message(id)).length
    const sizeOf = async (id: number): Promise<number> => {
      let size: number | undefined
      await server.inDatabase(async (session) => {
        const pages = new MessagePageReader(session)
        const wanted = { content: false, renderedContent: true }
        const [head] = await pages.heads({ id: reader.userId as UserId, role: ROLE.member }, [id as MessageId], wanted)
        size = head?.bytes
      })
      return size ?? assert.fail()
    }
    const before = { length: await lengthOf(plain), size: await sizeOf(plain) }
    await server.inDatabase(async ({ knex }) => {
      const reaction = { message_id: plain, user_id: reader.userId, reaction_type: 'unicode_emoji', emoji_name: 'car' }
      const codes = Array.from({ length: REACTIONS }, (_, index) => ({ ...reaction, emoji_code: `1f6${index + 100}` }))
      await knex('reaction').insert(codes)
      const long = { sender_id: reader.userId, msg_type: 'widget', content: 'x'.repeat(MIB) }
      for (const id of widgets) await knex('submessage').insert({ ...long, message_id: id })
    })
    const byReactions = (await sizeOf(plain)) - before.size
    assert.ok(
      Math.abs(1 - byReactions / ((await lengthOf(plain)) - before.length)) < 0.3,
      `${byReactions} for ${(await lengthOf(plain)) - before.length}`,
    )

    const { messages, found_oldest } = await reader.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 5000,
      num_after: 0,
    })
    assert.ok(messages.length >= 30 && messages.length < 32, `${messages.length} of 1 MiB each`)
    assert.equal(found_oldest, false)
  })

  test('have a limit however few they are (SEC-RENDER-5)', async (t) => {
    const server = await ownParley(t, dialect)
    const reader = await server.newUser()
    const ids: number[] = []
    for (let index = 0; index < 3; index++) ids.push(await reader.send([reader]))
    await server.inDatabase(({ knex }) => knex('message').update({ rendered_content: 'x'.repeat(12 * MIB) }))
    const { messages } = await reader.must('GET', '/messages', { anchor: 'newest', num_before: 20, num_after: 0 })
    assert.deepEqual(
      messages.map((message: { id: number }) => message.id),
      ids.slice(-2),
    )
  })
})

test('SEC-NARROW-3, G2: others are served between any two long messages of an answer, during reading, writing and sending', async (t) => {
  const server = await ownParley(t, 'sqlite')
  const reader = await server.newUser()
  for (let index = 0; index < 10; index++) await reader.send([reader])
  await server.inDatabase(({ knex }) => knex('message').update({ rendered_content: 'x'.repeat(64 * 1024) }))
  const pauses = t.mock.method(Pauses.prototype, 'letOthers')
  const { messages } = await reader.must('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  assert.equal(messages.length, 10)
  assert.ok(pauses.mock.callCount() >= 30, `${pauses.mock.callCount()} times`)
})
