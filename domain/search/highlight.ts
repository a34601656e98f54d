import { escapeHtml } from '../markdown/escape-html.ts'
import { foldCase } from '../text/text-keys.ts'
import { offsetsOf, readHtml } from './html.ts'
import { findsToken, type SearchQuery } from './query.ts'
import { tokensOf } from './tokens.ts'

const BEGIN = '<span class="highlight">'
const END = '</span>'

/** Case folding never joins across these units: a character with its marks, or a run of Hangul letters. */
const UNIT = /[\u1100-\u11ff]+\p{M}*|\P{M}\p{M}*|\p{M}+/gu

/** [start, end) in UTF-16 units of the text, ascending, without overlaps. */
type Ranges = readonly (readonly [start: number, end: number])[]

/** Returns the HTML of `text` (a topic) with the finds of the query marked (NARROW-9, NARROW-10). */
export function highlightedText(query: SearchQuery, text: string): string {
  let html = ''
  let position = 0
  for (const [start, end] of foundRanges(query, text)) {
    html += escapeHtml(text.slice(position, start)) + BEGIN + escapeHtml(text.slice(start, end)) + END
    position = end
  }
  return html + escapeHtml(text.slice(position))
}

/**
 * Returns rendered content with the finds of the query in its text marked; tags stay as they are (NARROW-7, NARROW-8).
 */
export function highlightedHtml(query: SearchQuery, html: string): string {
  const parts = [...readHtml(html)]
  const visible = parts.map((part) => {
    if (part.kind === 'tag') return part.isBreak ? '\n' : ''
    return part.isVisible ? part.text : ''
  })
  const ranges = foundRanges(query, visible.join(''))
  let result = ''
  let position = 0
  let next = 0
  for (const [index, part] of parts.entries()) {
    const length = visible[index]?.length ?? 0
    if (part.kind === 'tag' || !part.isVisible) {
      result += part.source
      position += length
      continue
    }
    const end = position + length
    const [first] = ranges[next] ?? []
    const offsets = first !== undefined && first < end ? offsetsOf(part.source) : []
    let done = 0
    for (; next < ranges.length; next += 1) {
      const [from, to] = ranges[next] ?? [end, end]
      if (from >= end) break
      const start = offsets[Math.max(from - position, 0)] ?? 0
      const stop = offsets[Math.min(to - position, length)] ?? part.source.length
      if (stop > start) result += part.source.slice(done, start) + BEGIN + part.source.slice(start, stop) + END
      done = Math.max(done, stop)
      if (to > end) break // it continues after the next tag
    }
    result += part.source.slice(done)
    position = end
  }
  return result
}

/** Finds whole words that match a word of the query, and finds phrases. */
function foundRanges(query: SearchQuery, text: string): Ranges {
  const { folded, startOf, endOf } = foldedWithOffsets(text)
  const ranges: [number, number][] = []
  const add = (start: number, length: number): void => {
    ranges.push([startOf[start] ?? 0, endOf[start + length - 1] ?? text.length])
  }
  for (const token of tokensOf(folded)) if (findsToken(query, token.text)) add(token.start, token.text.length)
  for (const phrase of query.phrases) {
    for (let at = folded.indexOf(phrase); at !== -1; at = folded.indexOf(phrase, at + phrase.length)) {
      add(at, phrase.length)
    }
  }
  return merged(ranges)
}

/** The folded text, with the positions in the original text where the source of each UTF-16 unit begins and ends. */
function foldedWithOffsets(text: string): { folded: string; startOf: number[]; endOf: number[] } {
  const startOf: number[] = []
  const endOf: number[] = []
  let folded = ''
  for (const { 0: unit, index } of text.matchAll(UNIT)) {
    const part = foldCase(unit)
    for (let count = 0; count < part.length; count += 1) {
      startOf.push(index)
      endOf.push(index + unit.length)
    }
    folded += part
  }
  return { folded, startOf, endOf }
}

function merged(ranges: [number, number][]): Ranges {
  const result: [number, number][] = []
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = result.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}
