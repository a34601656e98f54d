import { setImmediate } from 'node:timers/promises'
import { chunksOf } from '../../domain/chunks.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import { FoldedTexts, matchesSearch } from '../../domain/search/query.ts'
import { SearchReader } from '../repositories/search.ts'
import type { Session } from '../session.ts'
import type { ResolvedTerm } from './resolved-narrow.ts'

type SearchTerm = Extract<ResolvedTerm, { kind: 'search' }>

/** Messages whose texts are read together: a few, because each may be long. */
const TOGETHER = 20
/** After so many milliseconds others get their turn. */
const WITHOUT_PAUSE_MS = 10

/** The searches of one narrow, as far as the texts of messages decide them. */
export class TextSearch {
  readonly #reader: SearchReader
  readonly #searches: readonly SearchTerm[]
  readonly #hasLeft: (() => boolean) | undefined
  #since = performance.now()

  /** @param hasLeft asked after each pause: whether nobody waits any more */
  constructor(session: Session, searches: readonly SearchTerm[], hasLeft?: () => boolean) {
    this.#reader = new SearchReader(session)
    this.#searches = searches
    this.#hasLeft = hasLeft
  }

  /**
   * Those of `ids`, in their order, whose texts meet all searches. A phrase of common words has very many candidates,
   * a negated search every message; SQLite answers without a pause, so pauses are made here: meanwhile others are served.
   * What they delete is not found.
   * @throws {BadRequestError} which nobody reads, when `hasLeft` says so
   */
  async found(ids: readonly MessageId[]): Promise<MessageId[]> {
    const found: MessageId[] = []
    for (const chunk of chunksOf(ids, TOGETHER)) {
      const texts = await this.#reader.texts(chunk)
      for (const id of chunk) {
        const text = texts.get(id)
        if (text && this.#isFound(new FoldedTexts(text.all()))) found.push(id)
      }
      await this.#letOthers()
    }
    return found
  }

  #isFound(texts: FoldedTexts): boolean {
    return this.#searches.every(({ query, negated }) => matchesSearch(query, texts) !== negated)
  }

  async #letOthers(): Promise<void> {
    if (performance.now() - this.#since < WITHOUT_PAUSE_MS) return
    await setImmediate()
    if (this.#hasLeft?.()) throw new BadRequestError('The connection was closed before the search was over')
    this.#since = performance.now()
  }
}
