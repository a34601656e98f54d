import { setImmediate } from 'node:timers/promises'
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

/**
 * Those of `ids`, in their order, whose texts meet all of `searches`. A phrase of common words has very many candidates,
 * a negated search every message; SQLite answers without a pause, so pauses are made here: meanwhile others are served.
 * What they delete is not found.
 * @param hasLeft asked after each pause
 * @throws {BadRequestError} which nobody reads, when it says so
 */
export async function foundByTexts(
  session: Session,
  ids: readonly MessageId[],
  searches: readonly SearchTerm[],
  hasLeft?: () => boolean,
): Promise<MessageId[]> {
  const reader = new SearchReader(session)
  const found: MessageId[] = []
  let since = performance.now()
  for (let start = 0; start < ids.length; start += TOGETHER) {
    const chunk = ids.slice(start, start + TOGETHER)
    const texts = await reader.texts(chunk)
    for (const id of chunk) {
      const text = texts.get(id)
      if (!text) continue // deleted meanwhile
      const folded = new FoldedTexts(text.all())
      if (searches.every(({ query, negated }) => matchesSearch(query, folded) !== negated)) found.push(id)
    }
    if (performance.now() - since < WITHOUT_PAUSE_MS) continue
    await setImmediate()
    if (hasLeft?.()) throw new BadRequestError('The connection was closed before the search was over')
    since = performance.now()
  }
  return found
}
