import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

const PATH = '/users/me/alert_words'

onEachDatabase('alert words', (dialect) => {
  const parley = sharedParley(dialect)

  test('ignore case, and keep their first spelling and order', async () => {
    const user = await (await parley()).newUser()
    const add = async (...alert_words: string[]) => (await user.must('POST', PATH, { alert_words })).alert_words
    assert.deepEqual(await add('lunch', ' New York ', '', 'LUNCH'), ['lunch', 'New York'])
    assert.deepEqual(await add('Lunch', 'ß'), ['lunch', 'New York', 'ß'])
    const { alert_words } = await user.must('DELETE', PATH, { alert_words: ['SS', 'nothing', 'LUNCH'] })
    assert.deepEqual(alert_words, ['New York'])
  })

  test('a word of more than 100 characters is named', async () => {
    const user = await (await parley()).newUser()
    const { status, body } = await user.post(PATH, { alert_words: ['x'.repeat(101)] })
    assert.deepEqual([status, body.msg], [400, 'alert_words[0] is too long (limit: 100 characters)'])
    assert.deepEqual((await user.must('POST', PATH, { alert_words: ['ΐ'.repeat(100)] })).alert_words.length, 1)
  })

  test('refuse more than 1,000 words', async () => {
    const user = await (await parley()).newUser()
    await user.must('POST', PATH, { alert_words: Array.from({ length: 1000 }, (_, index) => `word ${index}`) })
    assert.equal((await user.post(PATH, { alert_words: ['another'] })).body.msg, 'Too many alert words (maximum 1000)')
    assert.equal((await user.must('GET', PATH)).alert_words.length, 1000)
    assert.equal((await user.post(PATH, { alert_words: ['WORD 1'] })).status, 200)
  })

  test('refuse more than 10,000 characters in all words together (DIFF-ALERT-WORDS)', async () => {
    const user = await (await parley()).newUser()
    const words = Array.from({ length: 100 }, (_, index) => '😀'.repeat(97) + String(100 + index))
    await user.must('POST', PATH, { alert_words: words })
    const { status, body } = await user.post(PATH, { alert_words: ['x'] })
    assert.deepEqual([status, body.msg], [400, 'Your alert words are too long (limit: 10000 characters in all)'])
    await user.must('DELETE', PATH, { alert_words: ['x', words[0]] })
    assert.equal((await user.must('POST', PATH, { alert_words: ['x'.repeat(100)] })).alert_words.length, 100)
  })
})
