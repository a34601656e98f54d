import type { MessageId } from '../../domain/ids.ts'
import type { SearchQuery } from '../../domain/search/query.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { LISTED } from '../dialect.ts'
import { UserReadState } from '../read-state/user-read-state.ts'
import type { Session } from '../session.ts'
import { type Condition, received, termsCondition, together } from './conditions.ts'
import { EVERYTHING, type ResolvedNarrow, searchedFor, type Viewer } from './resolved-narrow.ts'
import { TextSearch } from './text-search.ts'
import { WindowSize } from './window-size.ts'
import { type Order, Windows } from './windows.ts'

/** Minimum number of candidates that are checked together. */
const MIN_CHECKED = 200

export interface NarrowOptions {
  readonly further?: Condition | undefined
  /** Shared with other parts of the same work. */
  readonly pauses?: Pauses | undefined
}

/**
 * Finds the messages of a narrow for one viewer. Access is part of every query. No statement looks at more than 5,000
 * messages, with pauses in between, regardless of how many match (SEC-NARROW-1).
 */
export class NarrowQuery {
  readonly #session: Session
  readonly #viewer: Viewer
  readonly #narrow: ResolvedNarrow
  /** The terms, and the viewer's access. */
  readonly #condition: Condition
  readonly #search: SearchQuery | undefined
  readonly #isUnreadOnly: boolean
  /** Whether a part of the narrow is not decided by SQL, so that each candidate must be checked. */
  readonly #needsCheck: boolean
  /** Undefined without a search. */
  readonly #textSearch: TextSearch | undefined
  readonly #pauses: Pauses
  #readState: Promise<UserReadState> | undefined

  constructor(session: Session, viewer: Viewer, narrow: ResolvedNarrow, { further, pauses }: NarrowOptions = {}) {
    this.#session = session
    this.#viewer = viewer
    this.#narrow = narrow
    this.#pauses = pauses ?? new Pauses()
    const terms = [termsCondition(narrow, viewer), ...(further ? [further] : [])]
    this.#condition = together(narrow.isHistoryShared ? terms : [...terms, received(viewer, narrow.openedIds)])
    this.#search = searchedFor(narrow)
    const searches = narrow.terms.filter((term) => term.kind === 'search')
    this.#textSearch = searches.length === 0 ? undefined : new TextSearch(session, searches, this.#pauses)
    this.#isUnreadOnly = narrow.terms.some((term) => term.kind === 'is' && term.what === 'unread' && !term.negated)
    this.#needsCheck = narrow.terms.some(
      (term) => term.kind === 'search' || (term.kind === 'is' && term.what === 'unread'),
    )
  }

  /** Returns the nearest `limit` IDs below `anchor`, ascending. */
  async before(anchor: number, limit: number): Promise<MessageId[]> {
    return (await this.#nearest('desc', anchor, limit)).reverse()
  }

  /** Returns the nearest `limit` IDs above `anchor`, ascending. */
  after(anchor: number, limit: number): Promise<MessageId[]> {
    return this.#nearest('asc', anchor, limit)
  }

  async has(id: number): Promise<boolean> {
    return (await this.among([id])).length > 0
  }

  /** Returns the matching ones of `ids`, ascending. */
  async among(ids: readonly number[]): Promise<MessageId[]> {
    const found: MessageId[] = []
    for await (const matching of this.#matching([...new Set(ids)])) {
      for (const id of await this.#checked(matching)) found.push(id)
    }
    return found.sort((a, b) => a - b)
  }

  /**
   * Yields those of `ids` that match the part of the narrow that SQL decides. The pieces are in the order of `ids`,
   * each unordered.
   */
  async *#matching(ids: readonly number[]): AsyncGenerator<MessageId[]> {
    const windowSize = new WindowSize(this.#session.dialect, ids.length)
    const { sql, params } = this.#condition
    for (let start = 0; start < ids.length; ) {
      const chunk = ids.slice(start, start + windowSize.size)
      start += chunk.length
      const rows = await windowSize.timed(() =>
        this.#session.all<{ id: MessageId }>(
          `select m.id from ${LISTED[this.#session.dialect]} as wanted cross join message m on m.id = wanted.value
           where ${sql}`,
          [JSON.stringify(chunk), ...params],
        ),
      )
      yield rows.map((row) => row.id)
      await this.#pauses.letOthers()
    }
  }

  async #nearest(order: Order, anchor: number, limit: number): Promise<MessageId[]> {
    if (limit === 0) return []
    if (this.#search && this.#search.words.length === 0) return []
    if (this.#isUnreadOnly) return this.#nearestUnread(order, anchor, limit)
    const windows = new Windows(this.#session, this.#viewer, this.#narrow, {
      condition: this.#condition,
      matching: (ids) => this.#matching(ids),
      pauses: this.#pauses,
    })
    const found: MessageId[] = []
    for await (const page of windows.from(order, anchor, this.#needsCheck ? undefined : limit, limit)) {
      for (let start = 0; start < page.length && found.length < limit; ) {
        const chunk = page.slice(start, start + Math.max(limit - found.length, MIN_CHECKED))
        start += chunk.length
        for (const id of await this.#checked(chunk)) found.push(id)
      }
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }

  /** Unread messages are known in advance and few, so the search starts from them. */
  async #nearestUnread(order: Order, anchor: number, limit: number): Promise<MessageId[]> {
    const found: MessageId[] = []
    for await (const part of (await this.#ownReadState()).unreadParts(order)) {
      const matching = await this.among(part.filter((id) => (order === 'asc' ? id > anchor : id < anchor)))
      for (const id of order === 'asc' ? matching : matching.reverse()) found.push(id)
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }

  /** Returns those of `ids`, in their order, that match the part of the narrow that SQL does not decide. */
  async #checked(ids: readonly MessageId[]): Promise<MessageId[]> {
    if (!this.#needsCheck || ids.length === 0) return [...ids]
    let left: readonly MessageId[] = ids
    for (const term of this.#narrow.terms) {
      if (term.kind === 'is' && term.what === 'unread') left = await this.#withReadState(left, !term.negated)
    }
    return this.#textSearch ? this.#textSearch.found(left) : [...left]
  }

  /** Returns the unread ones of `ids`, or the others: read ones and those that were never received. */
  async #withReadState(ids: readonly MessageId[], isWantedUnread: boolean): Promise<MessageId[]> {
    const state = await this.#ownReadState()
    const open = ids.filter((id) => !state.isRead(id))
    const query = new NarrowQuery(this.#session, this.#viewer, EVERYTHING, { pauses: this.#pauses })
    // Without shared history, all of these messages were received.
    const unread = new Set<number>(this.#narrow.isHistoryShared ? await query.among(open) : open)
    return ids.filter((id) => unread.has(id) === isWantedUnread)
  }

  #ownReadState(): Promise<UserReadState> {
    this.#readState ??= UserReadState.load(this.#session, this.#viewer.id, this.#pauses)
    return this.#readState
  }
}
