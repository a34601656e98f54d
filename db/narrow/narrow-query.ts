import { chunksOf } from '../../domain/chunks.ts'
import { FLAG } from '../../domain/flags.ts'
import type { MessageId } from '../../domain/ids.ts'
import { matchesSearch, type SearchQuery } from '../../domain/search/query.ts'
import { LISTED } from '../dialect.ts'
import { eachRange, ReceivedMessages } from '../received.ts'
import { SearchReader } from '../repositories/search.ts'
import type { Session, SqlValue } from '../session.ts'
import { UserReadState } from '../user-read-state.ts'
import { type Condition, hasIndex, readable, received, termsCondition, together } from './conditions.ts'
import { EVERYTHING, type ResolvedNarrow, searchedFor, type Viewer } from './resolved-narrow.ts'

type Order = 'asc' | 'desc'

/** Where nothing leads to the messages, so many ids next to the anchor are looked through; farther away, channel by channel. */
const NEARBY = 20_000
/** Candidates that are looked at one by one come in pages of at least so many. */
const LEAST_PAGE = 200
const IDS_A_STATEMENT = 5000

/** Messages of a narrow, as one viewer finds them. Access is part of every question. */
export class NarrowQuery {
  readonly #session: Session
  readonly #viewer: Viewer
  readonly #narrow: ResolvedNarrow
  readonly #condition: Condition
  readonly #search: SearchQuery | undefined
  readonly #isUnreadOnly: boolean
  /** What no statement decides, so that each candidate is looked at. */
  readonly #isLookedAt: boolean
  #readState: Promise<{ state: UserReadState; unread: readonly MessageId[]; isUnread: ReadonlySet<number> }> | undefined

  /** @param extra a further condition */
  constructor(session: Session, viewer: Viewer, narrow: ResolvedNarrow, extra?: Condition) {
    this.#session = session
    this.#viewer = viewer
    this.#narrow = narrow
    const conditions = [termsCondition(narrow, viewer), ...(extra ? [extra] : [])]
    this.#condition = together(narrow.isHistoryShared ? conditions : [...conditions, received(viewer)])
    this.#search = searchedFor(narrow)
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
      found.push(...(await this.#lookedAt(rows.map((row) => row.id))))
    }
    return found.sort((a, b) => a - b)
  }

  async #nearest(order: Order, anchor: number, limit: number): Promise<MessageId[]> {
    if (limit === 0) return []
    if (this.#search && this.#search.words.length === 0) return []
    if (this.#isUnreadOnly) return this.#nearestUnread(order, anchor, limit)
    const found: MessageId[] = []
    for (let position = anchor; ; ) {
      const wanted = this.#isLookedAt ? Math.max(limit - found.length, LEAST_PAGE) : limit
      const page = await this.#page(order, position, wanted)
      found.push(...(await this.#lookedAt(page)))
      const last = page.at(-1)
      if (found.length >= limit || last === undefined || page.length < wanted) return found.slice(0, limit)
      position = last
    }
  }

  /** What is unread is known beforehand, and is little of what there is. */
  async #nearestUnread(order: Order, anchor: number, limit: number): Promise<MessageId[]> {
    const { unread } = await this.#ownReadState()
    const beyond = order === 'asc' ? unread.filter((id) => id > anchor) : unread.filter((id) => id < anchor).reverse()
    const found: MessageId[] = []
    for (const chunk of chunksOf(beyond, Math.max(limit, LEAST_PAGE))) {
      const matching = await this.among(chunk)
      found.push(...(order === 'asc' ? matching : matching.reverse()))
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }

  /** Candidates beyond `position`, nearest first: all there are when they are fewer than `limit`. */
  async #page(order: Order, position: number, limit: number): Promise<MessageId[]> {
    if (this.#search) return this.#searched(order, position, limit, this.#search)
    if (this.#narrow.isHistoryShared || this.#narrow.terms.some(hasIndex)) {
      return this.#inRange(order, order === 'asc' ? 'm.id > ?' : 'm.id < ?', [position], limit)
    }
    const newest = await this.#session.get<{ id: number | null }>('select max(id) as id from message')
    const [from, to] =
      order === 'asc' ? [Math.max(position, 0) + 1, newest?.id ?? 0] : [1, Math.min(position - 1, newest?.id ?? 0)]
    const edge = order === 'asc' ? Math.min(from + NEARBY - 1, to) : Math.max(to - NEARBY + 1, from)
    const lowest = await this.#lowestReceived()
    if (lowest === undefined || lowest > to) return []
    const bounds = order === 'asc' ? [Math.max(from, lowest), edge] : [Math.max(edge, lowest), to]
    const near = await this.#inRange(order, 'm.id between ? and ?', bounds, limit)
    if (near.length === limit) return near
    const far =
      order === 'asc'
        ? await this.#farAway(order, edge + 1, to, limit)
        : await this.#farAway(order, from, edge - 1, limit)
    return [...near, ...far].slice(0, limit)
  }

  async #inRange(order: Order, range: string, bounds: readonly number[], limit: number): Promise<MessageId[]> {
    const { sql, params } = this.#condition
    const rows = await this.#session.all<{ id: MessageId }>(
      `select m.id from message m where ${range} and ${sql} order by m.id ${order} limit ?`,
      [...bounds, ...params, limit],
    )
    return rows.map((row) => row.id)
  }

  /** From `from` to `to`, by the index of each channel and conversation: what others received there is not looked at. */
  async #farAway(order: Order, from: number, to: number, limit: number): Promise<MessageId[]> {
    if (from > to) return []
    const terms = together([termsCondition(this.#narrow, this.#viewer), readable(this.#viewer)])
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
    const beyond = order === 'asc' ? `${id} > ?` : `${id} < ?`
    const rows = await this.#session.all<{ id: MessageId }>(
      `select m.id from ${from} cross join message m on m.id = ${id}
       where ${matches.sql} and ${beyond} and ${sql} order by ${id} ${order} limit ?`,
      [...matches.params, position, ...params, limit] as SqlValue[],
    )
    return rows.map((row) => row.id)
  }

  /** Those of `ids`, in their order, that meet what no statement has decided. */
  async #lookedAt(ids: readonly MessageId[]): Promise<MessageId[]> {
    if (!this.#isLookedAt || ids.length === 0) return [...ids]
    let left = [...ids]
    for (const term of this.#narrow.terms) {
      if (term.kind === 'is' && term.what === 'unread') {
        const { isUnread } = await this.#ownReadState()
        left = left.filter((id) => isUnread.has(id) !== term.negated)
      }
    }
    const searches = this.#narrow.terms.filter((term) => term.kind === 'search')
    if (searches.length === 0 || left.length === 0) return left
    const texts = await new SearchReader(this.#session).texts(left)
    return left.filter((id) =>
      searches.every(({ query, negated }) => matchesSearch(query, texts.get(id)?.all() ?? []) !== negated),
    )
  }

  #ownReadState() {
    this.#readState ??= UserReadState.load(this.#session, this.#viewer.id).then(async (state) => {
      const unread = await state.unreadIds()
      return { state, unread, isUnread: new Set<number>(unread) }
    })
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

/** The newest message that the viewer received; undefined when there is none. */
export async function newestReceived(session: Session, viewer: Viewer): Promise<MessageId | undefined> {
  const [id] = await new NarrowQuery(session, viewer, EVERYTHING).before(Number.MAX_SAFE_INTEGER, 1)
  return id
}
