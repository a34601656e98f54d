const shortestRange = 3

/** `ENV-1..3` as three ids; everything else as it is. */
export function idsInRange(text: string): string[] {
  const [, prefix, first, last] = /^(.+-)(\d+)\.\.(\d+)$/.exec(text) ?? []
  if (prefix === undefined) return [text]
  const count = Number(last) - Number(first) + 1
  return Array.from({ length: Math.max(count, 0) }, (_, index) => `${prefix}${Number(first) + index}`)
}

/** Three or more consecutive ids become a range: `ENV-1..3`. */
export function inRanges(ids: readonly string[]): string[] {
  const runs: string[][] = []
  for (const id of ids) {
    const run = runs.at(-1)
    if (run !== undefined && run.at(-1) === previous(id)) run.push(id)
    else runs.push([id])
  }
  return runs.flatMap((run) =>
    run.length < shortestRange ? run : [`${run[0]}..${run.at(-1)?.slice(prefixOf(run[0] ?? '').length)}`],
  )
}

/** The previous id; undefined if the id does not end in a plain number. */
function previous(id: string): string | undefined {
  const prefix = prefixOf(id)
  const number = id.slice(prefix.length)
  return /^\d+$/.test(number) ? `${prefix}${Number(number) - 1}` : undefined
}

/** `ENV-` of `ENV-12`. */
export function prefixOf(id: string): string {
  return id.slice(0, id.lastIndexOf('-') + 1)
}
