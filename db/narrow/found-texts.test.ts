import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../domain/clock.ts'
import type { MessageId } from '../../domain/ids.ts'
import { parseSearch } from '../../domain/search/query.ts'
import { emptyDatabase, onEachDatabase } from '../../server/testing.ts'
import { Database } from '../database.ts'
import { foundByTexts } from './found-texts.ts'

onEachDatabase('messages found by their texts', (dialect) => {
  test('are none that was deleted after it was listed, whether the word is to be there or not', async () => {
    const { location, remove } = await emptyDatabase(dialect)
    const db = await Database.open(location, systemClock)
    try {
      for (const negated of [false, true]) {
        const search = { kind: 'search', query: parseSearch('word'), negated } as const
        assert.deepEqual(await foundByTexts(db.read.session, [1, 2, 3] as MessageId[], [search]), [])
      }
    } finally {
      await db.close()
      await remove()
    }
  })
})
