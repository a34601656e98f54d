/**
 * Yields all matches of `pattern`, which has the flag `g`, including those that begin inside of another match. The
 * parser may reject the outer candidate as a mention, and the next one may begin within it.
 */
export function* overlappingMatches(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  const search = new RegExp(pattern)
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    yield match
    search.lastIndex = match.index + 1
  }
}
