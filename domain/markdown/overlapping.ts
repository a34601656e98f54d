/**
 * Matches of `pattern`, which has the flag `g`, wherever one begins, also inside of another: what a candidate takes for one
 * mention the parser may see as none, and the next begins within it.
 */
export function* overlappingMatches(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  const search = new RegExp(pattern)
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    yield match
    search.lastIndex = match.index + 1
  }
}
