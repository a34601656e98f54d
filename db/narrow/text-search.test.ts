import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageId } from '../../domain/ids.ts'
import { parseSearch } from '../../domain/search/query.ts'
import { turnsDuring } from '../../event-loop/loop-testing.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { onBothDatabases, openDatabase } from '../../server/testing.ts'
import type { Session } from '../session.ts'
import { TextSearch } from './text-search.ts'

onBothDatabases('messages found by their texts', (dialect) => {
  test('are not those that were deleted after being listed, in positive and negated terms', async (t) => {
    const { db } = await openDatabase(t, dialect)
    for (const negated of [false, true]) {
      const search = { kind: 'search', query: parseSearch('word'), negated } as const
      assert.deepEqual(
        await new TextSearch(db.read.session, [search], new Pauses()).found([1, 2, 3] as MessageId[]),
        [],
      )
    }
  })
})

test('others are served between messages, also if few are examined together', async (t) => {
  const all = () => [{ id: 1, topic: null, content: 'some words', rendered_content: 'some words' }]
  const session = { dialect: 'sqlite', all } as unknown as Session
  const terms = [{ kind: 'search', query: parseSearch('other'), negated: false }] as const
  const search = new TextSearch(session, terms, new Pauses())
  const turns = await turnsDuring(t, async () => {
    for (let count = 0; count < 3; count += 1) assert.deepEqual(await search.found([1 as MessageId]), [])
  })
  assert.ok(turns >= 3, `${turns} turns`)
})
