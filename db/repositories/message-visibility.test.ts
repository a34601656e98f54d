import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageId, UserId } from '../../domain/ids.ts'
import { turnsDuring } from '../../event-loop/loop-testing.ts'
import type { Session } from '../session.ts'
import { MessageVisibilityReader } from './message-visibility.ts'

const MANY = Array.from({ length: 50_000 }, (_, index) => (index + 1) as MessageId)

/** A session that finds nothing. Records the number of IDs in each statement. */
function watched(): { session: Session; asked: number[] } {
  const asked: number[] = []
  const all = (_sql: string, params: readonly unknown[]) => {
    asked.push(...params.flatMap((one) => (typeof one === 'string' ? [JSON.parse(one).length as number] : [])))
    return []
  }
  return { session: { dialect: 'sqlite', all } as unknown as Session, asked }
}

for (const [name, read] of [
  ['sights', (session: Session) => new MessageVisibilityReader(session).of(1 as UserId, MANY)],
  ['existence', (session: Session) => new MessageVisibilityReader(session).existing(MANY)],
] as const) {
  test(`SEC-LOOP-1: ${name} of 50,000 messages: no statement is about more than 5,000, and others are served in between`, async (t) => {
    const { session, asked } = watched()
    const turns = await turnsDuring(t, () => read(session))
    assert.equal(
      asked.reduce((sum, one) => sum + one, 0),
      MANY.length,
    )
    assert.ok(Math.max(...asked) <= 5000)
    assert.ok(turns >= asked.length, `${turns} turns in ${asked.length} statements`)
  })
}
