import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

const PATH = '/bot_storage'

onEachDatabase('bot storage', (dialect) => {
  const parley = sharedParley(dialect)

  test('keys that differ by a trailing space or an accent are different', async () => {
    const bot = await (await parley()).newUser()
    const storage = { k: '1', 'k ': '2', 'k\u00e9': '3', 'ke\u0301': '4' }
    await bot.request('PUT', PATH, { storage })
    assert.deepEqual((await bot.must('GET', PATH)).storage, storage)
    await bot.must('DELETE', PATH, { keys: ['k '] })
    assert.deepEqual((await bot.must('GET', PATH, { keys: ['k'] })).storage, { k: '1' })
    for (const method of ['GET', 'DELETE']) {
      const { body } = await bot.request(method, PATH, { keys: ['k', 'k '] })
      assert.equal(body.msg, 'Key does not exist.')
    }
  })

  test('refuse long and empty keys, more than 1,000 at once, and more than 10,000,000 bytes, with 500 for each key', async () => {
    const bot = await (await parley()).newUser()
    const refused = async (storage: unknown) => (await bot.request('PUT', PATH, { storage })).body.msg
    assert.equal(await refused({ ['k'.repeat(192)]: '' }), 'a key of storage is too long (limit: 191 characters)')
    assert.equal(await refused({ k: '', '': '' }), 'a key of storage cannot be blank')
    const numbered = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, '']))
    assert.equal(await refused(numbered(1001)), 'storage is too long (limit: 1000 items)')
    const part = 'x'.repeat(900_000)
    for (let index = 0; index < 11; index++) await bot.request('PUT', PATH, { storage: { [`k${index}`]: part } })
    assert.equal(await refused({ k11: part }), 'storage would take more than 10000000 bytes')
    assert.equal(await refused(numbered(200)), 'storage would take more than 10000000 bytes')
    assert.equal((await bot.request('PUT', PATH, { storage: { k10: part } })).status, 200, 'replaced, not added')
  })
})
