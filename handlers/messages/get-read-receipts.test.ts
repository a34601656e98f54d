import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /messages/{message_id}/read_receipts', (dialect) => {
  const parley = sharedParley(dialect)

  /** Creates users with ascending ids. */
  async function newUsers(count: number): Promise<ApiClient[]> {
    const server = await parley()
    const users: ApiClient[] = []
    while (users.length < count) users.push(await server.newUser())
    return users
  }

  async function readers(client: ApiClient, id: number): Promise<number[]> {
    return (await client.must('GET', `/messages/${id}/read_receipts`)).user_ids
  }

  test('list the readers, never the sender, in every form of the read state', async () => {
    const server = await parley()
    const [sender, first, second, third, bitmap] = await newUsers(5)
    assert(sender && first && second && third && bitmap)
    const { name } = await server.newChannel([sender, first, second, third, bitmap])
    const { id } = await sender.must('POST', '/messages', { type: 'channel', to: name, topic: 'r', content: 'x' })
    assert.deepEqual(await readers(sender, id), [])
    await server.inDatabase(async (session) =>
      session.run('update user set read_through = 100000 where id = ?', [first.userId]),
    )
    assert.deepEqual(await readers(second, id), [first.userId])
    const block = (bits: Uint8Array, form: number) => (client: ApiClient) =>
      server.inDatabase(async (session) => {
        await session.run('delete from read_block where user_id = ?', [client.userId])
        await session.run('insert into read_block (user_id, block, form, bits) values (?, 0, ?, ?)', [
          client.userId,
          form,
          bits,
        ])
      })
    const withBit = (messageId: number): Uint8Array => {
      const bits = new Uint8Array(512)
      bits[messageId >> 3] = 1 << (messageId & 7)
      return bits
    }
    const offset = Uint8Array.of(id & 255, id >> 8)
    await block(withBit(id), 0)(second)
    await block(new Uint8Array(), 1)(third)
    await block(withBit(id + 1), 2)(bitmap)
    assert.deepEqual(
      await readers(sender, id),
      [first, second, third, bitmap].map((one) => one.userId),
    )
    await block(withBit(id + 1), 0)(second)
    await block(offset, 1)(third)
    await block(withBit(id), 2)(bitmap)
    assert.deepEqual(await readers(sender, id), [first.userId])
  })

  test('an organization can turn them off', async () => {
    const server = await parley()
    const set = (enable_read_receipts: boolean) => server.as('owner').must('PATCH', '/realm', { enable_read_receipts })
    await set(false)
    const { body } = await server.as('member').get('/messages/1/read_receipts')
    assert.equal(body.msg, 'Read receipts are disabled in this organization')
    await set(true)
  })
})
