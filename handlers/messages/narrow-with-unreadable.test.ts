import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onBothDatabases, sharedParley } from '../../server/testing.ts'

const ALL = { anchor: 'newest', num_before: 1000, num_after: 0 }

onBothDatabases('with a message that cannot be read', (dialect) => {
  const parley = sharedParley(dialect)

  test('other terms name the conversation; otherwise the narrow is refused (R1)', async () => {
    const server = await parley()
    const [me, other, third] = await Promise.all([server.newUser(), server.newUser(), server.newUser()])
    const { name: channel } = await server.newChannel([other, me])
    const { name: privateChannel } = await server.newChannel([other, me], { invite_only: true })
    const open = await other.send(channel)
    const closed = await other.send(privateChannel)
    const pair = await other.send([me])
    const theirs = await other.send([third])
    const found = async (narrow: unknown[]): Promise<number[]> => (await me.newest(narrow)).map(({ id }) => id)

    const unread = await found([['is', 'unread']])
    assert.ok([open, closed, pair].every((id) => unread.includes(id)))
    for (const operand of [2_000_000_000, theirs]) {
      const term = { operator: 'with', operand }
      assert.deepEqual(await found([term, ['channel', privateChannel], ['topic', 't']]), [closed])
      assert.deepEqual(await found([term, ['dm', other.email]]), [pair])
      const notDirect = { operator: 'dm', operand: other.email, negated: true }
      for (const rest of [[], [['channel', channel]], [['topic', 't']], [['is', 'dm']], [notDirect]]) {
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
