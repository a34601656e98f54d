/**
 * Yields matches of `pattern`, which has the flag `g`, wherever one begins, also inside of another: the parser may not
 * see the outer candidate as a mention, and the next one begins within it.
 */
export function* overlappingMatches(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  const search = new RegExp(pattern)
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    yield match
    search.lastIndex = match.index + 1
  }
}
