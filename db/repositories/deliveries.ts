import type { UserId } from '../../domain/ids.ts'
import { Repository } from '../repository.ts'

/** Tables of messages to be sent at a given time. */
export type DeliveryTable = 'scheduled_message' | 'reminder'

/** Something to be sent. */
export interface Delivery {
  readonly id: number
  readonly userId: UserId
  /** UNIX seconds. */
  readonly at: number
}

/** Messages to be sent and their times, for all users. Failed ones wait for their owners. */
export class DeliveryReader extends Repository {
  /** Returns the deliveries that are due at `now`, after `after` in the order of their times. */
  async due(table: DeliveryTable, now: number, after: Pick<Delivery, 'at' | 'id'>, most: number): Promise<Delivery[]> {
    return this.session.all<Delivery>(
      `select id, user_id as "userId", deliver_at as at from ${table}
       where has_failed = 0 and deliver_at <= ? and (deliver_at > ? or (deliver_at = ? and id > ?))
       order by deliver_at, id limit ${most}`,
      [now, after.at, after.at, after.id],
    )
  }

  /** UNIX seconds; undefined if nothing waits. */
  async next(table: DeliveryTable): Promise<number | undefined> {
    const sql = `select deliver_at as at from ${table} where has_failed = 0 order by deliver_at limit 1`
    return (await this.session.get<{ readonly at: number }>(sql, []))?.at
  }
}
