import type { UserId } from '../../domain/ids.ts'
import { BOT_STORAGE_KEY_BYTES } from '../../domain/limits.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { insertMany } from '../insert-many.ts'
import { Repository } from '../repository.ts'

/** Data that bots keep between two runs. */
export class BotStorageReader extends Repository {
  /** Returns values by key, of `keys` only if given; missing ones have no entry. */
  async of(botId: UserId, keys?: readonly string[]): Promise<Map<string, string>> {
    const query = this.session.knex('bot_storage').where({ bot_id: botId }).orderBy('storage_key')
    if (keys) query.whereIn('storage_key', [...keys])
    const rows: { storage_key: string; value: string }[] = await query.select('storage_key', 'value')
    return new Map(rows.map((row) => [row.storage_key, row.value]))
  }

  /** Returns the bytes of all keys and values except those of `except`, as MAX_BOT_STORAGE_BYTES counts them. */
  async size(botId: UserId, except: readonly string[]): Promise<number> {
    const query = this.session.knex('bot_storage').where({ bot_id: botId })
    if (except.length > 0) query.whereNotIn('storage_key', [...except])
    const rows: { size: number | string | null }[] = await query.select(
      this.session.knex.raw(`sum(octet_length(storage_key) + octet_length(value) + ${BOT_STORAGE_KEY_BYTES}) as size`),
    )
    return Number(rows[0]?.size ?? 0)
  }
}

export class BotStorageWriter extends BotStorageReader {
  /** Other requests can read after every few hundred values (SEC-LOOP-4). */
  async put(botId: UserId, values: ReadonlyMap<string, string>): Promise<void> {
    const rows = [...values].map(([key, value]) => [botId, key, value])
    await insertMany(this.session, 'bot_storage (bot_id, storage_key, value)', rows, new Pauses(), 'replace')
  }

  /** Removes `keys`, or everything. */
  async remove(botId: UserId, keys?: readonly string[]): Promise<void> {
    const query = this.session.knex('bot_storage').where({ bot_id: botId })
    if (keys) query.whereIn('storage_key', [...keys])
    await query.delete()
  }
}
