import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { systemClock } from '../../domain/clock.ts'
import type { MessageId } from '../../domain/ids.ts'
import { parseSearch } from '../../domain/search/query.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { emptyDatabase, onBothDatabases } from '../../server/testing.ts'
import { Database } from '../database.ts'
import type { Session } from '../session.ts'
import { TextSearch } from './text-search.ts'

onBothDatabases('messages found by their texts', (dialect) => {
  test('are none that was deleted after it was listed, whether the word is to be there or not', async () => {
    const { location, remove } = await emptyDatabase(dialect)
    const db = await Database.open(location, systemClock)
    try {
      for (const negated of [false, true]) {
        const search = { kind: 'search', query: parseSearch('word'), negated } as const
        assert.deepEqual(
          await new TextSearch(db.read.session, [search], new Pauses()).found([1, 2, 3] as MessageId[]),
          [],
        )
      }
    } finally {
      await db.close()
      await remove()
    }
  })
})

test('others are served between messages, also where few are looked at together', async () => {
  const text = 'some words '.repeat(5000)
  const all = () => [{ id: 1, topic: null, content: text, rendered_content: text }]
  const session = { dialect: 'sqlite', all } as unknown as Session
  const terms = [{ kind: 'search', query: parseSearch('other'), negated: false }] as const
  const search = new TextSearch(session, terms, new Pauses())
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns++) await setImmediate()
  })()
  // Each call takes at least a millisecond of processor time, so others are served after some of these calls.
  for (let count = 0; count < 1000 && turns < 3; count += 1) {
    assert.deepEqual(await search.found([1 as MessageId]), [])
  }
  isOver = true
  assert.ok(turns >= 3, `${turns} turns`)
  await others
})
