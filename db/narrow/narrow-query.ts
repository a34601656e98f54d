import { chunksOf } from '../../domain/chunks.ts'
import { FLAG } from '../../domain/flags.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { SearchQuery } from '../../domain/search/query.ts'
import { LISTED, throughIndex } from '../dialect.ts'
import { eachRange, ReceivedMessages } from '../received.ts'
import { SearchReader } from '../repositories/search.ts'
import type { Session, SqlValue } from '../session.ts'
import { UserReadState } from '../user-read-state.ts'
import { type Condition, type Lead, leadOf, readable, received, termsCondition, together } from './conditions.ts'
import { EVERYTHING, type ResolvedNarrow, searchedFor, type Viewer } from './resolved-narrow.ts'
import { TextSearch } from './text-search.ts'

type Order = 'asc' | 'desc'

/** Where nothing leads to the messages, so many ids next to the anchor are looked through; farther away, channel by channel. */
const NEARBY = 20_000
/** Candidates that are looked at one by one come in pages of at least so many. */
const LEAST_PAGE = 200
const MOST_PAGE = 5000
const IDS_A_STATEMENT = 5000

export interface NarrowOptions {
  readonly further?: Condition | undefined
  /** Ends a search for somebody who does not wait any more. */
  readonly hasLeft?: (() => boolean) | undefined
}

/** Messages of a narrow, as one viewer finds them. Access is part of every question. */
export class NarrowQuery {
  readonly #session: Session
  readonly #viewer: Viewer
  readonly #narrow: ResolvedNarrow
  readonly #terms: Condition
  /** The terms, and what the viewer may find at all. */
  readonly #condition: Condition
  readonly #search: SearchQuery | undefined
  readonly #isUnreadOnly: boolean
  /** What no statement decides, so that each candidate is looked at. */
  readonly #isLookedAt: boolean
  /** Undefined where nothing is searched for. */
  readonly #textSearch: TextSearch | undefined
  #readState: Promise<UserReadState> | undefined

  constructor(session: Session, viewer: Viewer, narrow: ResolvedNarrow, { further, hasLeft }: NarrowOptions = {}) {
    this.#session = session
    this.#viewer = viewer
    this.#narrow = narrow
    this.#terms = together([termsCondition(narrow, viewer), ...(further ? [further] : [])])
    this.#condition = narrow.isHistoryShared ? this.#terms : together([this.#terms, received(viewer, narrow.openedIds)])
    this.#search = searchedFor(narrow)
    const searches = narrow.terms.filter((term) => term.kind === 'search')
    this.#textSearch = searches.length === 0 ? undefined : new TextSearch(session, searches, hasLeft)
    this.#isUnreadOnly = narrow.terms.some((term) => term.kind === 'is' && term.what === 'unread' && !term.negated)
    this.#isLookedAt = narrow.terms.some(
      (term) => term.kind === 'search' || (term.kind === 'is' && term.what === 'unread'),
    )
  }

  /** Ids below `anchor`, the nearest `limit` of them, ascending. */
  async before(anchor: number, limit: number): Promise<MessageId[]> {
    return (await this.#nearest('desc', anchor, limit)).reverse()
  }

  /** Ids above `anchor`, the nearest `limit` of them, ascending. */
  after(anchor: number, limit: number): Promise<MessageId[]> {
    return this.#nearest('asc', anchor, limit)
  }

  async has(id: number): Promise<boolean> {
    return (await this.among([id])).length > 0
  }

  /** Those of `ids` that match, ascending. */
  async among(ids: readonly number[]): Promise<MessageId[]> {
    const found: MessageId[] = []
    for (const chunk of chunksOf(ids, IDS_A_STATEMENT)) {
      const { sql, params } = this.#condition
      const rows = await this.#session.all<{ id: MessageId }>(
        `select distinct m.id from ${LISTED[this.#session.dialect]} as wanted join message m on m.id = wanted.value
         where ${sql}`,
        [JSON.stringify(chunk), ...params],
      )
      for (const id of await this.#lookedAt(rows.map((row) => row.id))) found.push(id)
    }
    return found.sort((a, b) => a - b)
  }

  async #nearest(order: Order, anchor: number, limit: number): Promise<MessageId[]> {
    if (limit === 0) return []
    if (this.#search && this.#search.words.length === 0) return []
    if (this.#isUnreadOnly) return this.#nearestUnread(order, anchor, limit)
    const found: MessageId[] = []
    let size = LEAST_PAGE
    for (let position = anchor; ; size = Math.min(size * 2, MOST_PAGE)) {
      const wanted = this.#isLookedAt ? Math.max(limit - found.length, size) : limit
      const page = await this.#page(order, position, wanted)
      for (const chunk of chunksOf(page, wanted)) {
        for (const id of await this.#lookedAt(chunk)) found.push(id)
        if (found.length >= limit) return found.slice(0, limit)
      }
      if (page.length !== wanted) return found
      position = page.at(-1) ?? position
    }
  }

  /** What is unread is known beforehand, and is little of what there is. */
  async #nearestUnread(order: Order, anchor: number, limit: number): Promise<MessageId[]> {
    const found: MessageId[] = []
    for await (const part of (await this.#ownReadState()).unreadParts(order)) {
      const matching = await this.among(part.filter((id) => (order === 'asc' ? id > anchor : id < anchor)))
      for (const id of order === 'asc' ? matching : matching.reverse()) found.push(id)
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }

  /** Candidates beyond `position`, nearest first: `limit` of them, or all there are. */
  async #page(order: Order, position: number, limit: number): Promise<MessageId[]> {
    if (this.#search) return this.#searched(order, position, limit, this.#search)
    const lead = leadOf(this.#narrow, this.#viewer)
    if (lead.by === 'index' || (lead.by === 'nothing' && this.#narrow.isHistoryShared)) {
      return this.#inRange(order, beyond('m.id', order), [position], limit)
    }
    if (lead.by === 'flag') return this.#flagged(order, position, limit, lead.index)
    if (lead.by === 'reactions') return this.#reactedTo(order, position, limit)
    return this.#nearAndFar(order, position, limit, lead)
  }

  /** What is near is looked through, whatever it is; what is far away is found where it must be. */
  async #nearAndFar(order: Order, position: number, limit: number, lead: Lead): Promise<MessageId[]> {
    const newest = (await this.#session.get<{ id: number | null }>('select max(id) as id from message'))?.id ?? 0
    const lowest = this.#narrow.isHistoryShared ? 1 : await this.#lowestReceived()
    if (lowest === undefined) return []
    const isUp = order === 'asc'
    const from = isUp ? Math.max(position + 1, lowest) : lowest
    const to = isUp ? newest : Math.min(position - 1, newest)
    const edge = isUp ? Math.min(from + NEARBY - 1, to) : Math.max(to - NEARBY + 1, from)
    if (from > to) return []
    const near = await this.#inRange(order, 'm.id between ? and ?', isUp ? [from, edge] : [edge, to], limit)
    const [farFrom, farTo] = isUp ? [edge + 1, to] : [from, edge - 1]
    if (near.length === limit || farFrom > farTo) return near
    // Candidates that are then looked at are collected once, not again for every page of them.
    const wanted = this.#isLookedAt ? Number.MAX_SAFE_INTEGER : limit - near.length
    const far =
      lead.by === 'lists'
        ? await this.#inLists(order, farFrom, farTo, wanted, lead)
        : await this.#farAway(order, farFrom, farTo, wanted)
    return [...near, ...far]
  }

  #inRange(order: Order, range: string, bounds: readonly number[], limit: number): Promise<MessageId[]> {
    return this.#selected('message m', range, bounds, `m.id ${order}`, limit)
  }

  async #inLists(
    order: Order,
    from: number,
    to: number,
    limit: number,
    { column, list }: Extract<Lead, { by: 'lists' }>,
  ): Promise<MessageId[]> {
    const rows = await this.#session.all<{ id: MessageId }>(
      `select m.id from (${list.sql}) as l cross join message m on m.${column} = l.id
       where m.id between ? and ? and ${this.#condition.sql} order by m.id ${order} limit ?`,
      [...list.params, from, to, ...this.#condition.params, limit],
    )
    return rows.map((row) => row.id)
  }

  #flagged(order: Order, position: number, limit: number, index: string): Promise<MessageId[]> {
    const hint = throughIndex(this.#session.dialect, index)
    return this.#selected(`message m ${hint}`, beyond('m.id', order), [position], `m.id ${order}`, limit)
  }

  #reactedTo(order: Order, position: number, limit: number): Promise<MessageId[]> {
    const from = `(select distinct e.message_id from reaction e where ${beyond('e.message_id', order)}) as r
      cross join message m on m.id = r.message_id`
    return this.#selected(from, '1 = 1', [position], `r.message_id ${order}`, limit)
  }

  async #selected(
    from: string,
    range: string,
    bounds: readonly number[],
    sorting: string,
    limit: number,
  ): Promise<MessageId[]> {
    const { sql, params } = this.#condition
    const rows = await this.#session.all<{ id: MessageId }>(
      `select m.id from ${from} where ${range} and ${sql} order by ${sorting} limit ?`,
      [...bounds, ...params, limit],
    )
    return rows.map((row) => row.id)
  }

  /** From `from` to `to`, by the index of each channel and conversation: what others received there is not looked at. */
  async #farAway(order: Order, from: number, to: number, limit: number): Promise<MessageId[]> {
    const terms = together([this.#terms, readable(this.#viewer, this.#narrow.openedIds)])
    const ranges = (await new ReceivedMessages(this.#session, this.#viewer.id).ranges()).filter(
      (range) => range.from <= to && range.to >= from,
    )
    const inChannels = await eachRange(this.#session, ranges, (range) => ({
      sql: `select m.id from message m where m.origin_channel_id = ? and m.id between ? and ? and ${terms.sql}
        order by m.id ${order} limit ?`,
      params: [range.channelId, Math.max(range.from, from), Math.min(range.to, to), ...terms.params, limit],
    }))
    const lists = [
      'm.direct_group_id in (select g.group_id from direct_group_member g where g.user_id = ?)',
      `m.channel_id is not null and m.id in (select h.message_id from message_flag h
        where h.user_id = ? and (h.flags & ${FLAG.historical}) <> 0)`,
    ]
    const ids = new Set(inChannels.map((row) => row.id))
    const { sql, params } = this.#condition
    for (const list of lists) {
      const rows = await this.#session.all<{ id: number }>(
        `select m.id from message m where ${list} and m.id between ? and ? and ${sql} order by m.id ${order} limit ?`,
        [this.#viewer.id, from, to, ...params, limit],
      )
      for (const row of rows) ids.add(row.id)
    }
    const sorted = [...ids].sort((a, b) => (order === 'asc' ? a - b : b - a)) as MessageId[]
    return sorted.slice(0, limit)
  }

  async #searched(order: Order, position: number, limit: number, query: SearchQuery): Promise<MessageId[]> {
    const { sql, params } = this.#condition
    const { from, id, matches } = SearchReader.candidates(this.#session.dialect, query)
    const rows = await this.#session.all<{ id: MessageId }>(
      `select m.id from ${from} cross join message m on m.id = ${id}
       where ${matches.sql} and ${beyond(id, order)} and ${sql} order by ${id} ${order} limit ?`,
      [...matches.params, position, ...params, limit] as SqlValue[],
    )
    return rows.map((row) => row.id)
  }

  /** Those of `ids`, in their order, that meet what no statement has decided. */
  async #lookedAt(ids: readonly MessageId[]): Promise<MessageId[]> {
    if (!this.#isLookedAt || ids.length === 0) return [...ids]
    let left: readonly MessageId[] = ids
    for (const term of this.#narrow.terms) {
      if (term.kind === 'is' && term.what === 'unread') left = await this.#withReadState(left, !term.negated)
    }
    return this.#textSearch ? this.#textSearch.found(left) : [...left]
  }

  /** Those of `ids` that are unread, or the others: those that are read and those that were never received. */
  async #withReadState(ids: readonly MessageId[], isWantedUnread: boolean): Promise<MessageId[]> {
    const state = await this.#ownReadState()
    const open = ids.filter((id) => !state.isRead(id))
    const received = this.#narrow.isHistoryShared
      ? await new NarrowQuery(this.#session, this.#viewer, EVERYTHING).among(open)
      : open
    const unread = new Set<number>(received)
    return ids.filter((id) => unread.has(id) === isWantedUnread)
  }

  #ownReadState(): Promise<UserReadState> {
    this.#readState ??= UserReadState.load(this.#session, this.#viewer.id)
    return this.#readState
  }

  /**
   * No message below this id was received; undefined when none was at all. An index look-up for each channel and
   * conversation, so that an account that is new does not look through what was before its time.
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

function beyond(id: string, order: Order): string {
  return order === 'asc' ? `${id} > ?` : `${id} < ?`
}

/**
 * The newest message that the viewer received when it was sent, whether they may still read it or not; undefined when
 * there is none. An index look-up for each of their spans and conversations.
 */
export async function newestReceived(session: Session, viewer: Viewer): Promise<MessageId | undefined> {
  const row = await session.get<{ channels: MessageId | null; conversations: MessageId | null }>(
    `select (select max(s.id) from (select (select m.id from message m where m.origin_channel_id = p.channel_id
          and m.id > p.after_message_id and (p.to_message_id is null or m.id <= p.to_message_id)
          order by m.id desc limit 1) as id from subscription_span p where p.user_id = ?) s) as channels,
       (select max(d.id) from (select (select m.id from message m where m.direct_group_id = g.group_id
          order by m.id desc limit 1) as id from direct_group_member g where g.user_id = ?) d) as conversations`,
    [viewer.id, viewer.id],
  )
  const newest = Math.max(row?.channels ?? 0, row?.conversations ?? 0)
  return newest === 0 ? undefined : (newest as MessageId)
}
