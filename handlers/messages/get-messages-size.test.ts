import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, startParley } from '../../server/testing.ts'

const MESSAGES = 60
const MIB = 2 ** 20

onEachDatabase('messages that are too long for one answer', (dialect) => {
  test('come in parts, next to the anchor first; a list of them is refused', async (t) => {
    const server = await startParley(dialect)
    t.after(() => server.stop())
    const reader = await server.newUser()
    const direct = { type: 'direct', to: [reader.userId], content: 'x' }
    const ids: number[] = []
    for (let index = 0; index < MESSAGES; index++) ids.push((await reader.must('POST', '/messages', direct)).id)
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
})
