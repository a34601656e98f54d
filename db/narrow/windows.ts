import type { MessageId } from '../../domain/ids.ts'
import { FLAG } from '../../domain/messages/flags.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { messagesIn } from '../pieces.ts'
import { ReceivedMessages } from '../read-state/received.ts'
import { type IndexedWord, SearchReader } from '../repositories/search.ts'
import type { Session } from '../session.ts'
import { type Condition, together } from './conditions.ts'
import { type List, listedIds, listOfTerm } from './lists.ts'
import { type ResolvedNarrow, searchedFor, type Viewer } from './resolved-narrow.ts'
import { type IndexScan, type Source, sourcesOf } from './sources.ts'
import { WindowSize } from './window-size.ts'

export type Order = 'asc' | 'desc'

/**
 * Number of IDs next to the anchor that are scanned without an index. Farther away, only messages that can match are
 * read.
 */
const NEARBY = 20_000
/** Factor by which the next window grows if nothing is found far away. */
const GROWTH = 4
const MAX_REACH = 200_000
/** Number of messages next to the anchor that are searched for words without the index, where that is slow. */
const NEARBY_TEXTS = 5000
/** Maximum number of messages with some words that are listed at once. */
const MAX_LISTED = 50_000
/** Higher than every ID. */
const END = Number.MAX_SAFE_INTEGER

interface Search {
  readonly condition: Condition
  /** Yields those of `ids` that match the condition. */
  readonly matching: (ids: readonly number[]) => AsyncIterable<MessageId[]>
  readonly pauses: Pauses
}

/** Searches messages beyond an anchor in windows of bounded size, the nearest first. */
export class Windows {
  readonly #session: Session
  readonly #viewer: Viewer
  readonly #narrow: ResolvedNarrow
  readonly #search: Search

  constructor(session: Session, viewer: Viewer, narrow: ResolvedNarrow, search: Search) {
    this.#session = session
    this.#viewer = viewer
    this.#narrow = narrow
    this.#search = search
  }

  /**
   * Yields matching messages, nearest first, one page a window; pages may be empty.
   *
   * @param limit of messages in all; undefined if the caller drops some and stops by itself
   * @param wanted number of messages that the caller would like
   */
  async *from(
    order: Order,
    anchor: number,
    limit: number | undefined,
    wanted: number,
  ): AsyncGenerator<readonly MessageId[]> {
    let left = limit ?? END
    for await (const page of this.#pages(order, anchor, wanted, () => left)) {
      left -= page.length
      yield page
      if (left <= 0) return
      await this.#search.pauses.letOthers()
    }
  }

  async *#pages(
    order: Order,
    anchor: number,
    wanted: number,
    left: () => number,
  ): AsyncGenerator<readonly MessageId[]> {
    const windowSize = new WindowSize(this.#session.dialect, wanted)
    const query = searchedFor(this.#narrow)
    const words = query ? await new SearchReader(this.#session).indexedWords(query, this.#search.pauses) : []
    const searched = words.length > 0 ? await this.#searched(words) : undefined
    const sources = searched ? [searched] : await sourcesOf(this.#session, this.#narrow, this.#viewer)
    if (this.#session.dialect === 'mariadb' && searched?.length === 1) {
      yield* this.#nearAndListed(words, order, anchor, windowSize, left)
    } else if (sources.length > 0) yield* this.#bySource(sources, order, anchor, windowSize, left)
    else yield* this.#nearAndFar(order, anchor, windowSize, left)
  }

  /**
   * Messages with all the words. Looks up messages that are not indexed yet first, so that none moves to the index
   * between the two look-ups.
   */
  async #searched(words: readonly IndexedWord[]): Promise<Source> {
    const { from, id, matches } = SearchReader.candidates(this.#session.dialect, words)
    const indexed: IndexScan = { from, id, join: `cross join message m on m.id = ${id}`, where: matches }
    const pending = await new SearchReader(this.#session).pending(1)
    return pending.length === 0 ? [indexed] : [NOT_INDEXED, indexed]
  }

  /**
   * Messages with all the words, on MariaDB, which makes a list of all of them for every statement that asks its index
   * for some. So the texts of the nearest messages are searched first, where frequent words are found. Then the list is
   * read once, unless another term reaches farther.
   */
  async *#nearAndListed(
    words: readonly IndexedWord[],
    order: Order,
    anchor: number,
    windowSize: WindowSize,
    left: () => number,
  ): AsyncGenerator<readonly MessageId[]> {
    const others = await sourcesOf(this.#session, this.#narrow, this.#viewer)
    const sources = others.length > 0 ? others : [EVERY_MESSAGE]
    const condition = together([this.#search.condition, SearchReader.containing(words)])
    const isBeyond = (one: number, other: number): boolean => (order === 'asc' ? one > other : one < other)
    let listed: { ids: readonly number[]; isCut: boolean } = { ids: [], isCut: true }
    let seen = 0
    for (let position = anchor; ; ) {
      const { size } = windowSize
      const { source, end } = await this.#farthest(sources, order, position, size)
      if (end !== undefined && seen >= NEARBY_TEXTS) {
        const ids = listed.ids.filter((id) => isBeyond(id, position))
        listed = ids.length < size && listed.isCut ? await this.#listed(words, order, position) : { ...listed, ids }
        const page = listed.ids.slice(0, size)
        const last = page.at(-1)
        if (last === undefined) return
        if (page.length < size || isBeyond(last, end)) {
          for await (const found of this.#search.matching(page)) yield sorted(found, order)
          position = last
          continue
        }
      }
      yield await windowSize.timed(() => this.#window(source, order, position, end, left(), condition))
      if (end === undefined) return
      seen += size
      position = end
    }
  }

  /** Messages beyond `position` with all the words, nearest first. */
  async #listed(
    words: readonly IndexedWord[],
    order: Order,
    position: number,
  ): Promise<{ ids: readonly number[]; isCut: boolean }> {
    const { from, id, matches } = SearchReader.candidates(this.#session.dialect, words)
    const rows = await this.#session.all<{ id: number }>(
      `select ${id} as id from ${from} where ${matches.sql} and ${id} ${order === 'asc' ? '>' : '<'} ?
       order by ${id} ${order} limit ?`,
      [...matches.params, position, MAX_LISTED],
    )
    return { ids: rows.map((row) => row.id), isCut: rows.length === MAX_LISTED }
  }

  /** Chooses, from window to window, the index that reaches farthest with the same number of messages. */
  async *#bySource(
    sources: readonly Source[],
    order: Order,
    anchor: number,
    windowSize: WindowSize,
    left: () => number,
  ): AsyncGenerator<readonly MessageId[]> {
    for (let position = anchor; ; ) {
      const { source, end } = await this.#farthest(sources, order, position, windowSize.size)
      yield await windowSize.timed(() => this.#window(source, order, position, end, left()))
      if (end === undefined) return
      position = end
    }
  }

  /** @returns `end`: the last ID of a window of about `size`; undefined if it includes everything */
  async #farthest(
    sources: readonly Source[],
    order: Order,
    position: number,
    size: number,
  ): Promise<{ source: Source; end: number | undefined }> {
    let best: { source: Source; end: number } | undefined
    for (const source of sources) {
      const end = await this.#endOf(source, order, position, size)
      if (end === undefined) return { source, end }
      if (best === undefined || (order === 'asc' ? end > best.end : end < best.end)) best = { source, end }
    }
    return best ?? { source: [], end: undefined }
  }

  async #endOf(source: Source, order: Order, position: number, size: number): Promise<number | undefined> {
    let nearest: number | undefined
    const skipped = Math.ceil(size / source.length) - 1
    for (const { from, id, where } of source) {
      const row = await this.#session.get<{ id: number }>(
        `select ${id} as id from ${from} where ${where.sql} and ${id} ${order === 'asc' ? '>' : '<'} ?
         order by ${id} ${order} limit 1 offset ?`,
        [...where.params, position, skipped],
      )
      if (row && (nearest === undefined || (order === 'asc' ? row.id < nearest : row.id > nearest))) nearest = row.id
    }
    return nearest
  }

  async #window(
    source: Source,
    order: Order,
    position: number,
    end: number | undefined,
    limit: number,
    { sql, params } = this.#search.condition,
  ): Promise<MessageId[]> {
    const isUp = order === 'asc'
    const span = isUp ? [position + 1, end ?? END] : [end ?? 0, position - 1]
    const found: MessageId[] = []
    for (const { from, id, join, where, isRepeated } of source) {
      const rows = await this.#session.all<{ id: MessageId }>(
        `select ${isRepeated ? 'distinct' : ''} ${id} as id from ${from} ${join}
         where ${where.sql} and ${id} between ? and ? and ${sql} order by ${id} ${order} limit ?`,
        [...where.params, ...span, ...params, limit],
      )
      for (const row of rows) found.push(row.id)
    }
    return source.length === 1 ? found : sorted([...new Set(found)], order).slice(0, limit)
  }

  /** Scans messages near the anchor. Farther away, looks up only possible matches. */
  async *#nearAndFar(
    order: Order,
    anchor: number,
    windowSize: WindowSize,
    left: () => number,
  ): AsyncGenerator<readonly MessageId[]> {
    const newest = (await this.#session.get<{ id: number | null }>('select max(id) as id from message'))?.id ?? 0
    const isUp = order === 'asc'
    let position = isUp ? anchor : Math.min(anchor, newest + 1)
    let seen = 0
    if (!isUp && position > 1) {
      // Usually one window of the newest messages is enough, and the first message need not be looked up.
      const end = Math.max(position - windowSize.size, 1)
      yield await windowSize.timed(() => this.#window(EVERY_MESSAGE, order, position, end, left()))
      seen = position - end
      position = end
    }
    const lowest = this.#narrow.isHistoryShared ? 1 : await this.#lowestReceived()
    if (lowest === undefined) return
    const last = isUp ? newest : lowest
    if (isUp) position = Math.max(position, lowest - 1)
    const far = this.#farCandidates()
    const near = far ? NEARBY : END
    while (seen < near && (isUp ? position < last : position > last)) {
      const end = isUp ? Math.min(position + windowSize.size, last) : Math.max(position - windowSize.size, last)
      yield await windowSize.timed(() => this.#window(EVERY_MESSAGE, order, position, end, left()))
      seen += Math.abs(end - position)
      position = end
    }
    for (let size = NEARBY * GROWTH; far && (isUp ? position < last : position > last); size *= GROWTH) {
      const reach = Math.min(size, MAX_REACH)
      const end = isUp ? Math.min(position + reach, last) : Math.max(position - reach, last)
      const candidates = await far(isUp ? position + 1 : end, isUp ? end : position - 1)
      for await (const page of this.#search.matching(sorted(candidates, order))) yield sorted(page, order)
      position = end
    }
  }

  /** Returns the messages that may be in the narrow; undefined if every message may be in it. */
  #farCandidates(): ((from: number, to: number) => Promise<number[]>) | undefined {
    const { pauses } = this.#search
    let list: List | undefined
    for (const term of this.#narrow.terms) {
      if (!term.negated) list ??= listOfTerm(term, this.#narrow, this.#viewer)
    }
    if (list) {
      const { column } = list
      let listed: Promise<number[]> | undefined
      const known = list
      return async (from, to) => {
        listed ??= listedIds(this.#session, known, pauses)
        return messagesIn(this.#session, column, await listed, [from, to], pauses)
      }
    }
    if (this.#narrow.isHistoryShared) return undefined
    const received = new ReceivedMessages(this.#session, this.#viewer.id, pauses)
    return (from, to) => received.ids(from, to)
  }

  /**
   * Returns the ID below which no message was received; undefined if none was received at all. Takes an index look-up
   * for each channel and conversation, so that a new account does not scan messages from before its time.
   */
  async #lowestReceived(): Promise<number | undefined> {
    const { id } = this.#viewer
    const row = await this.#session.get<{
      channels: number | null
      conversations: number | null
      marked: number | null
    }>(
      `select (select min(p.after_message_id) + 1 from subscription_span p where p.user_id = ?) as channels,
         (select min(f.id) from (select (select m.id from message m where m.direct_group_id = g.group_id order by m.id limit 1)
            as id from direct_group_member g where g.user_id = ?) f) as conversations,
         (select min(h.message_id) from message_flag h where h.user_id = ? and (h.flags & ${FLAG.historical}) <> 0) as marked`,
      [id, id, id],
    )
    const known = [row?.channels, row?.conversations, row?.marked].filter((one) => typeof one === 'number')
    return known.length === 0 ? undefined : Math.min(...known)
  }
}

const EVERY_MESSAGE: Source = [{ from: 'message m', id: 'm.id', join: '', where: { sql: '1 = 1', params: [] } }]

const NOT_INDEXED: IndexScan = {
  from: 'search_pending q',
  id: 'q.message_id',
  join: 'cross join message m on m.id = q.message_id',
  where: { sql: '1 = 1', params: [] },
}

function sorted<Id extends number>(ids: readonly Id[], order: Order): Id[] {
  return [...ids].sort((a, b) => (order === 'asc' ? a - b : b - a))
}
