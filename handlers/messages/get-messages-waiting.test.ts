import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ApiClient, onEachDatabase, startParley, type TestServer } from '../../server/testing.ts'

const MESSAGES = 6000

onEachDatabase('searches through very many messages', (dialect) => {
  let server: TestServer
  let reader: ApiClient
  before(async () => {
    server = await startParley(dialect)
    reader = await server.newUser()
    const text = `the quick brown fox ${'jumps over a lazy dog '.repeat(20)}`
    const { id } = await reader.must('POST', '/messages', { type: 'direct', to: [reader.userId], content: text })
    await server.inDatabase(async ({ knex }) => {
      const row = await knex('message').where({ id }).first()
      const first = id + 1
      for (let start = 0; start < MESSAGES; start += 50) {
        const rows = Array.from({ length: 50 }, (_, index) => ({ ...row, id: first + start + index }))
        await knex('message').insert(rows)
      }
    })
  })
  after(() => server.stop())

  const search = {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'search', operand: '"quick brown"', negated: true }],
  }
  const askForOther = () => server.as('owner').must('GET', '/users/me')

  /** Returns the result of `work`, and checks that other requests are answered in the meantime. */
  async function whileOthersAsk<T>(work: () => Promise<T>): Promise<T> {
    let answered = 0
    let isOver = false
    const others = (async () => {
      for (; !isOver; answered++) await askForOther()
    })()
    const result = await work()
    isOver = true
    // One or two of these may have been in progress when the work began and when it ended.
    assert.ok(answered >= 3, `${answered} answers meanwhile`)
    await others
    return result
  }

  test('let others be served meanwhile', async () => {
    const { messages } = await whileOthersAsk(() => reader.must('GET', '/messages', search))
    assert.deepEqual(messages, [], 'each of them had to be looked at')
  })

  test('SEC-NARROW-3: let others be served while thousands of messages are written into one answer', async () => {
    const all = { anchor: 'newest', num_before: 5000, num_after: 0 }
    const { messages } = await whileOthersAsk(() => reader.must('GET', '/messages', all))
    assert.equal(messages.length, 5000)
    const ids: number[] = messages.map(({ id }: { id: number }) => id)
    assert.ok(ids.every((id, index) => index === 0 || id > Number(ids[index - 1])))
  })

  test('end when their client has left', async () => {
    const answers = async () => {
      const metrics = await (await server.as('owner').fetch('/metrics')).text()
      return [...metrics.matchAll(/_count\{operation="get-messages",status="(\d+)"\} (\d+)/g)].map(([, ...one]) => one)
    }
    const earlier = await answers()
    const controller = new AbortController()
    const abandoned = reader.request('GET', '/messages', search, { signal: controller.signal })
    for (let count = 0; count < 3; count++) await askForOther()
    controller.abort()
    await assert.rejects(abandoned, { name: 'AbortError' })
    let later = earlier
    while (later.join() === earlier.join()) {
      await askForOther()
      later = await answers()
    }
    assert.deepEqual(later, [...earlier, ['400', '1']], 'it went on to the end')
  })
})
