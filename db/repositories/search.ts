import { chunksOf } from '../../domain/chunks.ts'
import type { MessageId } from '../../domain/ids.ts'
import { requiredTerms, type SearchQuery } from '../../domain/search/query.ts'
import { indexedTerms } from '../../domain/search/tokens.ts'
import { visibleText } from '../../domain/search/visible-text.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { Batch } from '../batch.ts'
import { LISTED, listOf } from '../dialect.ts'
import { insertMany } from '../insert-many.ts'
import { octetsOf, PAGE, rowsInBytes } from '../pieces.ts'
import { Repository } from '../repository.ts'
import type { Session, SqlValue } from '../session.ts'

const BYTES = octetsOf(['m.content', 'm.rendered_content'])

/** The searched texts of a message. */
export class SearchedTexts {
  /** Null for direct messages. */
  readonly topic: string | null
  /** Markdown: contains what the HTML shows differently, such as emoji and link addresses. */
  readonly content: string
  readonly renderedContent: string

  constructor({ topic, content, renderedContent }: Pick<SearchedTexts, 'topic' | 'content' | 'renderedContent'>) {
    this.topic = topic
    this.content = content
    this.renderedContent = renderedContent
  }

  all(): string[] {
    return [...(this.topic === null ? [] : [this.topic]), this.content, visibleText(this.renderedContent)]
  }
}

/** Maximum number of words of a query that SQLite looks up in the index, or that `containing` compares. */
const MAX_WORDS = 8
/** Prefixes of words in more messages are not looked up: they would cost 4 ms for each statement. */
const MAX_MESSAGES_OF_PREFIX = 20_000
/**
 * Maximum number of words in one counting statement. A word may occur in every message, and all of these are counted.
 */
const WORDS_A_STATEMENT = 20

/** A word in the form of the full-text engines. */
export type IndexedWord = ReturnType<typeof requiredTerms>[number]

/** The full-text index. It finds a superset of the matching messages; domain/search decides. */
export class SearchReader extends Repository {
  /**
   * Returns the words of `query` by which the index finds messages quickly, if there are any. SQLite merges all
   * messages of all words with a common prefix before it returns the first, again for every statement.
   */
  async indexedWords(query: SearchQuery, pauses: Pauses): Promise<readonly IndexedWord[]> {
    const terms = requiredTerms(query)
    const whole = terms.filter(({ isBeginning }) => !isBeginning)
    if (this.session.dialect === 'mariadb') return terms
    const rare: { word: IndexedWord; messages: number }[] = []
    for (const word of terms.filter(({ isBeginning }) => isBeginning)) {
      const messages = await this.#messagesWith(word.term, pauses)
      if (messages <= MAX_MESSAGES_OF_PREFIX) rare.push({ word, messages })
    }
    let left = MAX_MESSAGES_OF_PREFIX
    const found: IndexedWord[] = []
    for (const { word, messages } of rare.sort((a, b) => a.messages - b.messages)) {
      left -= messages
      if (left >= 0) found.push(word)
    }
    return [...found, ...whole].slice(0, MAX_WORDS)
  }

  /** Counts messages with words of this prefix; stops counting when there are too many. */
  async #messagesWith(beginning: string, pauses: Pauses): Promise<number> {
    let count = 0
    for (let least = beginning; count <= MAX_MESSAGES_OF_PREFIX; ) {
      const rows = await this.session.all<{ term: string; doc: number }>(
        `select term, doc from message_search_terms where term >= ? and term <= ? limit ${WORDS_A_STATEMENT}`,
        [least, `${beginning}\x7f`],
      )
      for (const { doc } of rows) count += doc
      await pauses.letOthers()
      if (rows.length < WORDS_A_STATEMENT) break
      // Sorts before every longer word. A second condition, `term > ?`, would make SQLite read the index from its
      // beginning.
      least = `${rows.at(-1)?.term} `
    }
    return count
  }

  /** SQL that finds the messages with all of `words`, of which there is at least one. */
  static candidates(
    dialect: Session['dialect'],
    words: readonly IndexedWord[],
  ): { from: string; id: string; matches: { sql: string; params: SqlValue[] } } {
    if (dialect === 'sqlite') {
      const match = words.map(({ term, isBeginning }) => (isBeginning ? `${term}*` : term)).join(' AND ')
      return { from: 'message_search s', id: 's.rowid', matches: { sql: 's.message_search match ?', params: [match] } }
    }
    const match = words.map(({ term, isBeginning }) => `+${term}${isBeginning ? '*' : ''}`).join(' ')
    const sql = 'match(s.terms) against (? in boolean mode)'
    return { from: 'message_search s', id: 's.message_id', matches: { sql, params: [match] } }
  }

  /**
   * The condition that the indexed words of the message `m` contain `words`, perhaps as parts of longer ones. For
   * MariaDB, which keeps the indexed words.
   */
  static containing(words: readonly IndexedWord[]): { sql: string; params: SqlValue[] } {
    const some = words.slice(0, MAX_WORDS)
    const contained = some.map(() => 's.terms like ?').join(' and ')
    return {
      sql: `exists (select 1 from message_search s where s.message_id = m.id and ${contained})`,
      params: some.map(({ term }) => `%${term}%`),
    }
  }

  /**
   * Returns messages that the index has under another topic. Until the index is updated, only a search in their texts
   * finds them.
   */
  async pending(limit: number): Promise<MessageId[]> {
    const from = 'from search_pending p left join message m on m.id = p.message_id order by p.message_id'
    const columns = 'p.message_id as id'
    const rows = await rowsInBytes<{ id: MessageId }>(this.session, { columns, from, bytes: BYTES, limit }, [])
    return rows.map(({ id }) => id)
  }

  /** Returns some of the newest messages that are not indexed yet; none if there are no more. */
  async backlog(limit: number): Promise<{ messages: Map<MessageId, SearchedTexts>; isLast: boolean }> {
    const from =
      'from message m where m.id <= (select up_to_message_id from search_backlog where id = 1) order by m.id desc'
    const rows = await rowsInBytes<{ id: MessageId }>(this.session, { columns: 'm.id', from, bytes: BYTES, limit }, [])
    return { messages: await this.texts(rows.map((row) => row.id)), isLast: rows.length === 0 }
  }

  async texts(ids: readonly MessageId[]): Promise<Map<MessageId, SearchedTexts>> {
    const rows = await this.session.all<{
      id: MessageId
      topic: string | null
      content: string
      rendered_content: string
    }>(
      `select m.id, t.name as topic, m.content, m.rendered_content
       from ${LISTED[this.session.dialect]} as wanted cross join message m on m.id = wanted.value
       left join topic t on t.id = m.topic_id`,
      [JSON.stringify(ids)],
    )
    return new Map(
      rows.map(({ id, topic, content, rendered_content: renderedContent }) => [
        id,
        new SearchedTexts({ topic, content, renderedContent }),
      ]),
    )
  }
}

/**
 * Writes the index once per batch of the write queue, after the batch's last savepoint: FTS5 flushes at every
 * savepoint, which halves the number of messages that can be sent (22,400 to 11,200 a second, measured without HTTP).
 */
export class SearchWriter extends SearchReader {
  readonly #batch: Batch

  constructor(session: Session, batch: Batch) {
    super(session)
    this.#batch = batch
  }

  /** Indexes a new message. */
  add(messageId: MessageId, texts: Pick<SearchedTexts, 'topic' | 'content' | 'renderedContent'>): void {
    this.#batch.searchChanges.push({ messageId, terms: indexedTerms(new SearchedTexts(texts).all()) })
  }

  /**
   * Call it after a move of many messages. The index is updated later, because that takes a hundred microseconds a
   * message, and all other writers would wait.
   */
  async defer(messageIds: readonly MessageId[], pauses: Pauses): Promise<void> {
    const { dialect } = this.session
    const insert = `insert ${dialect === 'sqlite' ? 'or ignore' : 'ignore'} into search_pending (message_id)`
    for (const chunk of chunksOf(messageIds, PAGE)) {
      await this.session.run(`${insert} select value from ${LISTED[dialect]} as listed`, [JSON.stringify(chunk)])
      await pauses.letOthers()
    }
  }

  /** Updates the index for these of the waiting messages; deleted ones no longer wait. */
  async catchUp(messageIds: readonly MessageId[]): Promise<void> {
    for (const [id, texts] of await this.texts(messageIds)) this.replace(id, texts)
    if (messageIds.length === 0) return
    const list = listOf(this.session.dialect, messageIds)
    await this.session.run(`delete from search_pending where message_id in ${list.sql}`, list.params)
  }

  /** Call it after an edit or a move. Then only the present texts find the message. */
  replace(messageId: MessageId, texts: Pick<SearchedTexts, 'topic' | 'content' | 'renderedContent'>): void {
    this.remove(messageId)
    this.add(messageId, texts)
  }

  /** Call it after a deletion. */
  remove(messageId: MessageId): void {
    this.#batch.searchChanges.push({ messageId, terms: undefined })
  }

  /** Records that everything above `messageId` is indexed. */
  async shortenBacklog(messageId: number): Promise<void> {
    await this.session.run('update search_backlog set up_to_message_id = ? where id = 1', [messageId])
  }

  /** Writes the batch's changes; only the write queue calls it. */
  async store(): Promise<void> {
    const id = this.session.dialect === 'sqlite' ? 'rowid' : 'message_id'
    const pauses = new Pauses()
    let added: [MessageId, string][] = []
    const insert = async (): Promise<void> => {
      await insertMany(this.session, `message_search (${id}, terms)`, added, pauses)
      added = []
    }
    for (const { messageId, terms } of this.#batch.searchChanges) {
      if (terms === undefined) {
        // The message may be among the ones that were just added.
        await insert()
        await this.session.run(`delete from message_search where ${id} = ?`, [messageId])
      } else if (terms !== '') added.push([messageId, terms])
    }
    await insert()
  }
}
