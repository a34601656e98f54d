import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onBothDatabases, sharedParley } from '../../server/testing.ts'

const ALL = { anchor: 'newest', num_before: 1000, num_after: 0 }

onBothDatabases('with a message that cannot be read', (dialect) => {
  const parley = sharedParley(dialect)

  test('the conversation that other terms name, or no narrow at all (R1)', async () => {
    const server = await parley()
    const [me, other, third] = await Promise.all([server.newUser(), server.newUser(), server.newUser()])
    const { name: channel } = await server.newChannel([other, me])
    const { name: privateChannel } = await server.newChannel([other, me], { invite_only: true })
    const send = async (to: string): Promise<number> =>
      (await other.must('POST', '/messages', { type: 'channel', to, topic: 'plain', content: 'x' })).id
    const direct = async (...people: ApiClient[]): Promise<number> => {
      const to = people.map((one) => one.userId)
      return (await other.must('POST', '/messages', { type: 'direct', to, content: 'x' })).id
    }
    const open = await send(channel)
    const closed = await send(privateChannel)
    const pair = await direct(me)
    const theirs = await direct(third)
    const found = async (narrow: unknown[]): Promise<number[]> =>
      (await me.must('GET', '/messages', { ...ALL, narrow })).messages.map(({ id }: { id: number }) => id)

    const unread = await found([['is', 'unread']])
    assert.ok([open, closed, pair].every((id) => unread.includes(id)))
    for (const operand of [2_000_000_000, theirs]) {
      const term = { operator: 'with', operand }
      assert.deepEqual(await found([term, ['channel', privateChannel], ['topic', 'plain']]), [closed])
      assert.deepEqual(await found([term, ['dm', other.email]]), [pair])
      const notDirect = { operator: 'dm', operand: other.email, negated: true }
      for (const rest of [[], [['channel', channel]], [['topic', 'plain']], [['is', 'dm']], [notDirect]]) {
        const narrow = [term, ...rest]
        const refusals = [
          await me.get('/messages', { ...ALL, narrow }),
          await me.get('/messages/matches_narrow', { msg_ids: [open], narrow }),
          await me.post('/messages/flags/narrow', { ...ALL, op: 'add', flag: 'read', narrow }),
        ]
        for (const { status, body } of refusals) {
          assert.deepEqual([status, body.code, body.desc], [400, 'BAD_NARROW', "Invalid 'with' operator"])
        }
      }
    }
    assert.deepEqual(await found([['is', 'unread']]), unread, 'nothing was marked')
  })
})
