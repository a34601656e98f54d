import { RE2JS } from 're2js'

/**
 * Maximum number of instructions of one compiled pattern. The matching time is proportional to this number and to the
 * text.
 */
export const MAX_PATTERN_SIZE = 500
/** UTF-16 units. */
const MAX_PATTERN_LENGTH = 500
/** Maximum sum of all repetition counts of a pattern. The engine allows 1,000 copies of one part, which take 25 ms. */
const MAX_REPETITIONS = 250
/** A text is searched for matches that begin in its first 100 UTF-16 units, then in the next 100, and so on. */
const PART_LENGTH = 100
/** UTF-16 units. Each match restarts the search, which may read as far as the longest match that begins in the part. */
const LONGEST_MATCH = 100
/** Testing for a match is this many times faster than finding its place. */
const TEST_SHARE = 32

/** Work that is left for finding links in one text. */
export interface LinkWork {
  /** Instructions of patterns times characters; some 50 ns each. */
  steps: number
  links: number
}

export const linkWorkOfText = (): LinkWork => ({ steps: 400_000, links: 200 })
/** A page of messages has many topics. */
export const linkWorkOfTopic = (): LinkWork => ({ steps: 20_000, links: 20 })

export interface Match {
  readonly start: number
  readonly end: number
  /** Named groups; null for a group that did not match anything. */
  readonly groups: Readonly<Record<string, string | null>>
}

/**
 * The pattern of a linkifier, in the syntax of RE2, which is most of Python's: `(?P<name>…)`. The engine never
 * backtracks, so the time of a pattern grows at most with its length times that of the text. Matches must not be parts
 * of words.
 */
export class LinkPattern {
  readonly #regex: RE2JS
  readonly #size: number
  readonly names: readonly string[]

  private constructor(regex: RE2JS, names: readonly string[]) {
    this.#regex = regex
    this.#size = regex.programSize()
    this.names = names
  }

  /** Returns undefined if it is not a regular expression, or requires too much work. */
  static of(source: string): LinkPattern | undefined {
    if (source.length > MAX_PATTERN_LENGTH || repetitions(source) > MAX_REPETITIONS) return undefined
    try {
      // Compiled by itself first, which verifies that its brackets are balanced.
      const names = Object.keys(RE2JS.compile(source).namedGroups())
      const regex = RE2JS.compile(String.raw`(?:^|[\s\pZ'"(,:<])(${source})(?:$|[^\pL\pN])`)
      return regex.programSize() > MAX_PATTERN_SIZE ? undefined : new LinkPattern(regex, names)
    } catch {
      return undefined
    }
  }

  /** Returns the matches that are not in the middle of a word, as far as there is work left. */
  matches(text: string, work: LinkWork): Match[] {
    const found: Match[] = []
    for (let from = 0; from < text.length; ) {
      const end = from + PART_LENGTH
      // A match is followed by one more character.
      const seen = text.slice(0, end + LONGEST_MATCH + 1)
      work.steps -= (this.#size * (seen.length - from)) / TEST_SHARE
      if (work.steps <= 0) return found
      // A match may follow the last character of the part before.
      const before = Math.max(0, from - 1)
      from = this.#regex.test(seen.slice(before)) ? Math.max(end, this.#search(seen, before, end, found, work)) : end
    }
    return found
  }

  /** Finds matches that begin before `end`. Returns where the last one ends. */
  #search(text: string, before: number, end: number, found: Match[], work: LinkWork): number {
    const matcher = this.#regex.matcher(text)
    let from = before
    while (from < end && work.links > 0) {
      work.steps -= this.#size * (text.length - from)
      if (work.steps <= 0 || !matcher.find(from) || matcher.start(1) >= end) break
      const [first, last] = [matcher.start(1), matcher.end(1)]
      if (last > first && last - first <= LONGEST_MATCH) {
        work.links -= 1
        const groups = Object.fromEntries(this.names.map((name) => [name, matcher.group(name)]))
        found.push({ start: first, end: last, groups })
      }
      from = Math.max(last, from + 1)
    }
    return from
  }
}

/** Returns the sum of all counts. For a range, the larger number counts. */
function repetitions(source: string): number {
  const counts = [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)]
  return counts.reduce((sum, [, least, most]) => sum + Math.max(Number(least), Number(most ?? 0)), 0)
}
