import type { Session } from '../session.ts'

/**
 * Returns the lowest ID from which on messages were sent at or after `time`, by bisection: IDs follow the time of
 * sending, except for corrections of the clock. Returns a number above all IDs if there is none.
 *
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
