import type { UserId } from '../../domain/ids.ts'
import type { Presence } from '../../domain/users/presence.ts'
import { Pauses } from '../pauses.ts'
import { inPages } from '../pieces.ts'
import { Repository } from '../repository.ts'
import type { SqlValue } from '../session.ts'

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

const SELECT = `select p.user_id, u.email, p.active_at, p.connected_at, p.update_id
  from presence p join user u on u.id = p.user_id where u.is_active = 1`

/** When people were last active, and last connected. */
export class PresenceReader extends Repository {
  /** Undefined for whoever never reported any. */
  async of(userId: UserId): Promise<Presence | undefined> {
    const row = await this.session.get<PresenceRow>(`${SELECT} and p.user_id = ?`, [userId])
    return row && fromRow(row)
  }

  /** Of active accounts, those connected at `connectedSince` (UNIX seconds) or later, by the order of their changes; in pages. */
  since(connectedSince: number, pauses = new Pauses()): Promise<Presence[]> {
    return this.#inPages('p.connected_at >= ?', [connectedSince], pauses)
  }

  /** Of active accounts, those that changed after `updateId`, by the order of their changes; in pages. */
  after(updateId: number, pauses = new Pauses()): Promise<Presence[]> {
    return this.#inPages('p.update_id > ?', [updateId], pauses)
  }

  #inPages(condition: string, params: readonly SqlValue[], pauses: Pauses): Promise<Presence[]> {
    const page = (after: number, limit: number) =>
      this.session.all<PresenceRow>(`${SELECT} and ${condition} and p.update_id > ? order by p.update_id limit ?`, [
        ...params,
        after,
        limit,
      ])
    return inPages(page, (row) => row.update_id, fromRow, pauses)
  }
}

export class PresenceWriter extends PresenceReader {
  /** Stores it as the newest change of all. */
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
