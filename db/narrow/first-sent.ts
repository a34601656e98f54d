import type { Session } from '../session.ts'

/**
 * The least id from which on messages were sent at or after `time`, found by halving: messages are sent in the order of
 * their ids, give or take the clock's corrections. One above all ids when there is none.
 * @param time UNIX seconds
 */
export async function firstSentFrom(session: Session, time: number): Promise<number> {
  const newest = await session.get<{ id: number | null }>('select max(id) as id from message')
  let low = 1
  let high = (newest?.id ?? 0) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = await session.get<{ id: number; sent_at: number }>(
      'select id, sent_at from message where id >= ? order by id limit 1',
      [middle],
    )
    if (next && next.sent_at < time) low = next.id + 1
    else high = middle
  }
  return low
}
