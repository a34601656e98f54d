import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MessagePageReader } from '../../db/repositories/message-pages.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('pages of messages while others write', (dialect) => {
  const parley = sharedParley(dialect)

  /** Creates a private channel with three messages and two subscribers. */
  async function privateChannel() {
    const server = await parley()
    const [writer, reader] = [server.as('owner'), await server.newUser()]
    const { name } = await server.newChannel([writer, reader], { invite_only: true })
    const ids: number[] = []
    for (const content of ['a', 'b', 'c']) {
      ids.push((await writer.must('POST', '/messages', { type: 'channel', to: name, topic: 't', content })).id)
    }
    return { writer, reader, name, ids }
  }

  /** Runs `change` once, after the ids of a page are read and before its rows are. */
  function betweenStatements(t: TestContext, change: () => Promise<unknown>): void {
    const { heads } = MessagePageReader.prototype
    const hook = t.mock.method(
      MessagePageReader.prototype,
      'heads',
      async function (this: MessagePageReader, ...asked: Parameters<typeof heads>) {
        hook.mock.restore()
        await change()
        return heads.apply(this, asked)
      },
    )
  }

  /** Done by another user, because requests of the reader wait for each other. */
  const remove = async (reader: ApiClient, name: string) =>
    (await parley()).as('owner').must('DELETE', '/users/me/subscriptions', {
      subscriptions: [name],
      principals: [reader.userId],
    })

  async function page(reader: ApiClient, anchor: number | undefined) {
    const { messages, found_anchor } = await reader.must('GET', '/messages', { anchor, num_before: 10, num_after: 10 })
    return { ids: messages.map(({ id }: { id: number }) => id), isAnchorFound: found_anchor }
  }
  const matching = async (reader: ApiClient, msg_ids: readonly number[]) => {
    const { messages } = await reader.must('GET', '/messages/matches_narrow', { msg_ids, narrow: [] })
    return Object.keys(messages).map(Number)
  }

  test('a page does not show messages that were deleted after its IDs were read', async (t) => {
    const { writer, reader, ids } = await privateChannel()
    betweenStatements(t, () => writer.must('DELETE', `/messages/${ids[1]}`))
    assert.deepEqual(await page(reader, ids[1]), { ids: [ids[0], ids[2]], isAnchorFound: false })
    betweenStatements(t, () => writer.must('DELETE', `/messages/${ids[0]}`))
    assert.deepEqual(await matching(reader, ids), [ids[2]])
  })

  test('a page does not show messages that its reader may no longer see', async (t) => {
    const { reader, name, ids } = await privateChannel()
    const leave = () => remove(reader, name)
    betweenStatements(t, leave)
    assert.deepEqual(await page(reader, ids[1]), { ids: [], isAnchorFound: false })
    await (await parley()).as('owner').must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [reader.userId],
    })
    betweenStatements(t, leave)
    assert.deepEqual(await matching(reader, ids), [])
  })
})
