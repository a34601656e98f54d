import type { MessageId } from '../../domain/ids.ts'
import { requiredTerms, type SearchQuery } from '../../domain/search/query.ts'
import { indexedTerms } from '../../domain/search/tokens.ts'
import { visibleText } from '../../domain/search/visible-text.ts'
import { LISTED } from '../dialect.ts'
import type { Session, SqlValue } from '../session.ts'

/** What of a message is searched. */
export class SearchedTexts {
  /** Null for direct messages. */
  readonly topic: string | null
  /** Markdown: holds what the HTML shows as something else, such as emoji and addresses of links. */
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

/** The full-text index: a superset of what a search finds; domain/search decides. */
export class SearchReader {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }

  /** The part of a statement that finds the messages which have all the words of `query`; there is at least one. */
  static candidates(
    dialect: Session['dialect'],
    query: SearchQuery,
  ): { from: string; id: string; matches: { sql: string; params: SqlValue[] } } {
    const terms = requiredTerms(query)
    if (dialect === 'sqlite') {
      const match = terms.map(({ term, isBeginning }) => (isBeginning ? `${term}*` : term)).join(' AND ')
      return { from: 'message_search s', id: 's.rowid', matches: { sql: 's.message_search match ?', params: [match] } }
    }
    const match = terms.map(({ term, isBeginning }) => `+${term}${isBeginning ? '*' : ''}`).join(' ')
    const sql = 'match(s.terms) against (? in boolean mode)'
    return { from: 'message_search s', id: 's.message_id', matches: { sql, params: [match] } }
  }

  /** The newest messages that are not indexed yet. */
  async backlog(limit: number): Promise<{ messages: Map<MessageId, SearchedTexts>; isLast: boolean }> {
    const rows = await this.session.all<{ id: MessageId }>(
      'select id from message where id <= (select up_to_message_id from search_backlog where id = 1) order by id desc limit ?',
      [limit],
    )
    return { messages: await this.texts(rows.map((row) => row.id)), isLast: rows.length < limit }
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

type Change = { readonly messageId: MessageId; readonly terms: string | undefined }

/**
 * Keeps the index. Rows are written once a batch of the write queue, behind its last savepoint: FTS5 flushes at every
 * savepoint, which halves the number of messages that can be sent (facts/measurements.md A3).
 */
export class SearchWriter extends SearchReader {
  #batch: Change[] = []
  #body: Change[] = []

  /** Makes a new message findable. */
  add(messageId: MessageId, texts: Pick<SearchedTexts, 'topic' | 'content' | 'renderedContent'>): void {
    this.#body.push({ messageId, terms: indexedTerms(new SearchedTexts(texts).all()) })
  }

  /** After an edit or a move: found by its present texts only. */
  replace(messageId: MessageId, texts: Pick<SearchedTexts, 'topic' | 'content' | 'renderedContent'>): void {
    this.remove(messageId)
    this.add(messageId, texts)
  }

  /** After a deletion. */
  remove(messageId: MessageId): void {
    this.#body.push({ messageId, terms: undefined })
  }

  /** Everything above `messageId` is indexed. */
  async shortenBacklog(messageId: number): Promise<void> {
    await this.session.run('update search_backlog set up_to_message_id = ? where id = 1', [messageId])
  }

  // The rest is called by the write queue alone.

  beginBatch(): void {
    this.#batch = []
    this.#body = []
  }

  beginBody(): void {
    this.#body = []
  }

  endBody(): void {
    this.#batch.push(...this.#body)
    this.#body = []
  }

  async endBatch(): Promise<void> {
    const id = this.session.dialect === 'sqlite' ? 'rowid' : 'message_id'
    for (const { messageId, terms } of this.#batch) {
      if (terms === undefined) await this.session.run(`delete from message_search where ${id} = ?`, [messageId])
      else if (terms !== '') {
        await this.session.run(`insert into message_search (${id}, terms) values (?, ?)`, [messageId, terms])
      }
    }
    this.#batch = []
  }
}
