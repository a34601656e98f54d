import { chunksOf } from '../../domain/chunks.ts'
import type { MessageId } from '../../domain/ids.ts'
import { FoldedTexts, matchesSearch } from '../../domain/search/query.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { SearchReader } from '../repositories/search.ts'
import type { Session } from '../session.ts'
import type { ResolvedTerm } from './resolved-narrow.ts'

type SearchTerm = Extract<ResolvedTerm, { kind: 'search' }>

/** Number of messages whose texts are read together. Few, because each may be long. */
const TOGETHER = 20

/** Decides by the texts of messages whether they match the searches of a narrow. */
export class TextSearch {
  readonly #reader: SearchReader
  readonly #searches: readonly SearchTerm[]
  readonly #pauses: Pauses

  constructor(session: Session, searches: readonly SearchTerm[], pauses: Pauses) {
    this.#reader = new SearchReader(session)
    this.#searches = searches
    this.#pauses = pauses
  }

  /**
   * Returns those of `ids`, in their order, whose texts match all searches. A phrase of common words has very many
   * candidates, and a negated search every message, so others are served in between. Messages that are deleted
   * meanwhile are not found.
   */
  async found(ids: readonly MessageId[]): Promise<MessageId[]> {
    const found: MessageId[] = []
    for (const chunk of chunksOf(ids, TOGETHER)) {
      const texts = await this.#reader.texts(chunk)
      for (const id of chunk) {
        const text = texts.get(id)
        if (text && this.#isFound(new FoldedTexts(text.all()))) found.push(id)
      }
      await this.#pauses.letOthers()
    }
    return found
  }

  #isFound(texts: FoldedTexts): boolean {
    return this.#searches.every(({ query, negated }) => matchesSearch(query, texts) !== negated)
  }
}
