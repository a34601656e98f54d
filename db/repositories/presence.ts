import type { UserId } from '../../domain/ids.ts'
import type { Presence } from '../../domain/users/presence.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { rowsInPages } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface PresenceRow {
  readonly user_id: number
  readonly email: string
  readonly active_at: number | null
  readonly connected_at: number | null
  readonly update_id: number
}

function fromRow(row: PresenceRow): Presence {
  return {
    userId: row.user_id as UserId,
    email: row.email,
    activeAt: row.active_at ?? 0,
    connectedAt: row.connected_at ?? 0,
    updateId: row.update_id,
  }
}

const SELECT = `select p.user_id, coalesce(u.stand_in_email, u.email) as email, p.active_at, p.connected_at, p.update_id
  from presence p join user u on u.id = p.user_id where u.is_active = 1`

/** When users were last active, and last connected. */
export class PresenceReader extends Repository {
  /** Returns undefined if the user never reported presence. */
  async of(userId: UserId): Promise<Presence | undefined> {
    const row = await this.session.get<PresenceRow>(`${SELECT} and p.user_id = ?`, [userId])
    return row && fromRow(row)
  }

  /**
   * Returns active accounts that connected at `connectedSince` (UNIX seconds) or later, in the order of their changes;
   * in pages.
   */
  since(connectedSince: number, pauses: Pauses): Promise<Presence[]> {
    return this.#those('p.connected_at >= ?', connectedSince, pauses)
  }

  /** Returns active accounts whose presence changed after `updateId`, in the order of their changes; in pages. */
  after(updateId: number, pauses: Pauses): Promise<Presence[]> {
    return this.#those('p.update_id > ?', updateId, pauses)
  }

  /**
   * Returns users who were certainly inactive since `time` (UNIX seconds). Leaves out users who do not report presence,
   * have a connected client, or have sent a message since.
   */
  async idleSince(time: number, pauses: Pauses): Promise<Set<UserId>> {
    const sql = `select p.user_id from presence p join user u on u.id = p.user_id
      where p.connected_at < ? and coalesce(p.active_at, 0) < ?
        and u.is_active = 1 and u.is_bot = 0 and u.date_joined < ? and u.settings not like '%"presence_enabled":false%'
        and not exists (select 1 from event_queue q where q.user_id = p.user_id)
        and coalesce((select m.sent_at from message m
          where m.id = (select max(s.id) from message s where s.sender_id = p.user_id)), 0) < ?`
    const rows = { sql, params: [time, time, time, time], key: 'p.user_id' }
    return new Set(await rowsInPages(this.session, rows, (row: { user_id: UserId }) => row.user_id, pauses))
  }

  #those(condition: string, value: number, pauses: Pauses): Promise<Presence[]> {
    const rows = { sql: `${SELECT} and ${condition}`, params: [value], key: 'p.update_id' }
    return rowsInPages(this.session, rows, fromRow, pauses)
  }
}

export class PresenceWriter extends PresenceReader {
  /** Stores the presence as the newest change of all users. */
  async put({ userId, activeAt, connectedAt }: Omit<Presence, 'updateId' | 'email'>): Promise<void> {
    const newest = await this.session.get<{ id: number }>(
      'select update_id as id from presence order by update_id desc limit 1',
    )
    await this.session
      .knex('presence')
      .insert({ user_id: userId, active_at: activeAt, connected_at: connectedAt, update_id: (newest?.id ?? 0) + 1 })
      .onConflict('user_id')
      .merge()
  }
}
