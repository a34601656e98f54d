import { chunksOf } from '../../domain/chunks.ts'
import type { UserId } from '../../domain/ids.ts'
import { Repository } from '../repository.ts'

/** A stored event queue: a cursor over the log, and the events that its client wants. */
export interface StoredQueue {
  /** A UUID. */
  readonly id: string
  readonly userId: UserId
  /** JSON of events/queue-descriptor.ts. */
  readonly descriptor: string
  /** Head of the log when the client's initial state was read. */
  readonly startEventId: number
  /** The acknowledged position that was stored last. */
  readonly lastEventId: number
  /** UNIX seconds, stored lazily. */
  readonly lastSeenAt: number
  readonly idleTimeoutSeconds: number
}

/** Position of a queue's client. */
type Cursor = Pick<StoredQueue, 'id' | 'lastEventId' | 'lastSeenAt'>

interface QueueRow {
  readonly id: string
  readonly user_id: number
  readonly descriptor: string
  readonly start_event_id: number
  readonly last_event_id: number
  readonly last_seen_at: number
  readonly idle_timeout_seconds: number
}

function fromRow(row: QueueRow): StoredQueue {
  return {
    id: row.id,
    userId: row.user_id as UserId,
    descriptor: row.descriptor,
    startEventId: row.start_event_id,
    lastEventId: row.last_event_id,
    lastSeenAt: row.last_seen_at,
    idleTimeoutSeconds: row.idle_timeout_seconds,
  }
}

/**
 * Maximum number of queues in one statement: SQLite accepts 32,766 variables, and nobody should wait for long
 * statements.
 */
const QUEUES_A_STATEMENT = 500

export class EventQueueReader extends Repository {
  /**
   * Returns the position up to which every queue has acknowledged everything, by stored positions; undefined without
   * queues.
   */
  async lowestPosition(): Promise<number | undefined> {
    const row = await this.session.get<{ position: number | null }>(
      'select min(last_event_id) as position from event_queue',
    )
    return row?.position ?? undefined
  }

  async find(id: string): Promise<StoredQueue | undefined> {
    const row = await this.session.get<QueueRow>('select * from event_queue where id = ?', [id])
    return row && fromRow(row)
  }

  async countOf(userId: UserId): Promise<number> {
    const row = await this.session.get<{ count: number }>(
      'select count(*) as count from event_queue where user_id = ?',
      [userId],
    )
    return Number(row?.count)
  }

  /** Returns the IDs of queues whose idle time was over at `seconds`, in UNIX seconds, by stored times. */
  async idleAt(seconds: number): Promise<string[]> {
    const rows = await this.session.all<{ id: string }>(
      'select id from event_queue where last_seen_at + idle_timeout_seconds < ?',
      [seconds],
    )
    return rows.map(({ id }) => id)
  }

  async isAnyOf(userId: UserId): Promise<boolean> {
    return (await this.session.get('select 1 from event_queue where user_id = ? limit 1', [userId])) !== undefined
  }

  async all(): Promise<StoredQueue[]> {
    return (await this.session.all<QueueRow>('select * from event_queue')).map(fromRow)
  }

  /** Returns the queues that are furthest behind, at most `limit`. */
  async slowest(limit: number): Promise<StoredQueue[]> {
    return (await this.session.all<QueueRow>('select * from event_queue order by last_event_id limit ?', [limit])).map(
      fromRow,
    )
  }
}

export class EventQueueWriter extends EventQueueReader {
  async insert(queue: StoredQueue): Promise<void> {
    await this.session.run(
      `insert into event_queue (id, user_id, descriptor, start_event_id, last_event_id, last_seen_at, idle_timeout_seconds)
       values (?, ?, ?, ?, ?, ?, ?)`,
      [
        queue.id,
        queue.userId,
        queue.descriptor,
        queue.startEventId,
        queue.lastEventId,
        queue.lastSeenAt,
        queue.idleTimeoutSeconds,
      ],
    )
  }

  /** Stores the head of the initial state, which is read after the insert. */
  async begin({ id, startEventId, lastEventId }: StoredQueue): Promise<void> {
    await this.session.run('update event_queue set start_event_id = ?, last_event_id = ? where id = ?', [
      startEventId,
      lastEventId,
      id,
    ])
  }

  /** Marks every queue as seen at `seconds`, in UNIX seconds. */
  async markAllSeen(seconds: number): Promise<void> {
    await this.session.run('update event_queue set last_seen_at = ?', [seconds])
  }

  /**
   * Stores the acknowledged positions of many queues; deleted ones are skipped. A position never moves back, because
   * another process may have stored a later one.
   */
  async storeCursors(cursors: readonly Cursor[]): Promise<void> {
    if (this.session.dialect === 'mariadb') {
      for (const chunk of chunksOf(cursors, QUEUES_A_STATEMENT)) {
        await this.#storeTogether(chunk)
      }
      return
    }
    for (const { id, lastEventId, lastSeenAt } of cursors) {
      await this.session.run(
        'update event_queue set last_event_id = max(last_event_id, ?), last_seen_at = max(last_seen_at, ?) where id = ?',
        [lastEventId, lastSeenAt, id],
      )
    }
  }

  /** One statement instead of one for each queue: on MariaDB each is a round trip that all other writers wait for. */
  async #storeTogether(cursors: readonly Cursor[]): Promise<void> {
    const { knex } = this.session
    const ids = cursors.map(({ id }) => id)
    const choose = (wanted: (cursor: Cursor) => number) =>
      knex.raw(
        `case id ${'when ? then ? '.repeat(cursors.length)}end`,
        cursors.flatMap((cursor) => [cursor.id, wanted(cursor)]),
      )
    await knex('event_queue')
      .whereIn('id', ids)
      .update({
        last_event_id: knex.raw('greatest(last_event_id, ?)', [choose((cursor) => cursor.lastEventId)]),
        last_seen_at: knex.raw('greatest(last_seen_at, ?)', [choose((cursor) => cursor.lastSeenAt)]),
      })
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const chunk of chunksOf(ids, QUEUES_A_STATEMENT)) {
      await this.session
        .knex('event_queue')
        .whereIn('id', [...chunk])
        .delete()
    }
  }

  async removeOf(userId: UserId): Promise<void> {
    await this.session.run('delete from event_queue where user_id = ?', [userId])
  }
}
