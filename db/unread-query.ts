import { chunksOf } from '../domain/chunks.ts'
import type { ChannelId, DirectGroupId, MessageId, UserId } from '../domain/ids.ts'
import { BLOCK_SIZE, blockOf, isRead } from '../domain/read-state.ts'
import type { Role } from '../domain/roles.ts'
import { placeholders } from './dialect.ts'
import { NarrowQuery, type ResolvedNarrow } from './narrow-query.ts'
import { ReadStateReader } from './repositories/read-state.ts'
import type { Session } from './session.ts'

/** An unread message, with the conversation that it counts for. */
export interface UnreadMessage {
  readonly id: MessageId
  readonly channelId: ChannelId | null
  readonly topic: string | null
  readonly directGroupId: DirectGroupId | null
  readonly mentionsChannel: boolean
}

const PAGE = 5000

/** What a user has not read yet: received and not marked as read. */
export class UnreadQuery {
  readonly #session: Session
  readonly #viewer: { readonly id: UserId; readonly role: Role }

  constructor(session: Session, viewer: { readonly id: UserId; readonly role: Role }) {
    this.#session = session
    this.#viewer = viewer
  }

  /** The oldest unread message of the narrow that the user received; undefined when all is read. */
  async first(narrow: ResolvedNarrow): Promise<MessageId | undefined> {
    // What was sent before one's time is not unread, so only received messages are looked at.
    const query = new NarrowQuery(this.#session, this.#viewer, { ...narrow, sharedChannelId: undefined })
    const state = await this.#readState()
    for (let position = state.floor; ; ) {
      const ids = await query.after(position, PAGE)
      const unread = ids.find((id) => !state.isRead(id))
      if (unread !== undefined || ids.length < PAGE) return unread
      position = ids.at(-1) ?? position
    }
  }

  /** The newest `limit` unread messages, ascending. */
  async newest(limit: number): Promise<UnreadMessage[]> {
    const query = new NarrowQuery(this.#session, this.#viewer, { terms: [], sharedChannelId: undefined })
    const state = await this.#readState()
    const unread: MessageId[] = []
    for (let position = Number.MAX_SAFE_INTEGER; unread.length < limit; ) {
      const ids = await query.before(position, PAGE)
      for (const id of ids.toReversed()) if (!state.isRead(id)) unread.push(id)
      const oldest = ids[0]
      if (oldest === undefined || ids.length < PAGE || oldest <= state.floor) break
      position = oldest
    }
    return this.#described(unread.slice(0, limit).reverse())
  }

  /** Which ids are read; nothing at or below `floor` is unread. */
  async #readState(): Promise<{ floor: number; isRead(id: number): boolean }> {
    const reader = new ReadStateReader(this.#session)
    const readThrough = await reader.readThrough(this.#viewer.id)
    const blocks = await reader.blocks(this.#viewer.id)
    const lowestBlock = Math.min(...blocks.keys(), Number.MAX_SAFE_INTEGER)
    return {
      floor: Math.min(readThrough, lowestBlock * BLOCK_SIZE - 1),
      isRead: (id) => isRead(id, readThrough, blocks.get(blockOf(id))),
    }
  }

  async #described(ids: readonly MessageId[]): Promise<UnreadMessage[]> {
    const messages: UnreadMessage[] = []
    for (const page of chunksOf(ids, PAGE)) {
      const rows = await this.#session.all<{
        id: MessageId
        channel_id: ChannelId | null
        topic: string | null
        direct_group_id: DirectGroupId | null
        mentions_channel: number
      }>(
        `select m.id, m.channel_id, t.name as topic, m.direct_group_id, m.mentions_channel
         from message m left join topic t on t.id = m.topic_id where m.id in ${placeholders(page.length)} order by m.id`,
        page,
      )
      for (const row of rows) {
        messages.push({
          id: row.id,
          channelId: row.channel_id,
          topic: row.topic,
          directGroupId: row.direct_group_id,
          mentionsChannel: row.mentions_channel === 1,
        })
      }
    }
    return messages
  }
}
