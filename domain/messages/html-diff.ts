/** Limits of the cost of comparing, shared by several comparisons. */
export interface DiffBudget {
  /** Pairs of words that may still be compared. */
  pairs: number
  /** UTF-16 units of HTML that may still be read. */
  characters: number
}

type Token =
  /** A word with its entities, white space, or something that cannot contain a mark. */
  | { readonly kind: 'text'; readonly html: string }
  | { readonly kind: 'tag'; readonly html: string; readonly name: string; readonly isEnd: boolean }

/** These elements have no text directly inside, so deleted text waits for the next place that can have text. */
const WITHOUT_TEXT = new Set(['ul', 'ol', 'table', 'thead', 'tbody', 'tr'])
const VOID = new Set(['br', 'hr', 'img'])
/** A formula consists of MathML and its picture. A mark inside would break both. */
const FORMULA = /^<span class="katex/

/**
 * Returns the HTML of a new version of a message with marks: words that `before` lacks are in
 * `highlight_text_inserted`, removed words are in `highlight_text_deleted` at their former place. Elements are those of
 * the new version. Words are compared while `budget` lasts. After that, everything between the first and the last
 * difference is marked, and finally nothing.
 *
 * @param before @param after rendered messages, which are well-formed and safe; so is the result
 */
export function htmlDiff(before: string, after: string, budget: DiffBudget): string {
  budget.characters -= before.length + after.length
  if (budget.characters < 0) return after
  const [old, now] = [tokensOf(before), tokensOf(after)]
  const writer = new MarkedHtml()
  for (const [change, token] of changes(old, now, budget)) writer.add(change, token)
  return writer.end()
}

/** Splits into tags, words and white space. Linear, because a match begins where the last one ended. */
function tokensOf(html: string): Token[] {
  const parts = html.match(/<(?:[^"'>]|"[^"]*"|'[^']*')*>|[^\s<]+|\s+|</g) ?? []
  const tokens: Token[] = []
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? ''
    if (FORMULA.test(part)) {
      const end = endOfSpan(parts, index)
      tokens.push({ kind: 'text', html: parts.slice(index, end).join('') })
      index = end - 1
    } else if (part.startsWith('<')) {
      const [, slash, name = ''] = /^<(\/?)([a-z0-9]*)/i.exec(part) ?? []
      tokens.push({ kind: 'tag', html: part, name, isEnd: slash === '/' })
    } else tokens.push({ kind: 'text', html: part })
  }
  return tokens
}

function endOfSpan(parts: readonly string[], start: number): number {
  let depth = 0
  for (let index = start; index < parts.length; index++) {
    const part = parts[index] ?? ''
    if (part.startsWith('<span')) depth++
    else if (part === '</span>' && --depth === 0) return index + 1
  }
  return parts.length
}

type Change = readonly ['same' | 'inserted' | 'deleted', Token]

/** Merges both sequences; where words were replaced, the inserted ones come first. */
function changes(old: readonly Token[], now: readonly Token[], budget: DiffBudget): Change[] {
  const isSame = (first: Token | undefined, second: Token | undefined) => first?.html === second?.html
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && isSame(old[start], now[start])) start++
  let end = 0
  while (end < shorter - start && isSame(old[old.length - 1 - end], now[now.length - 1 - end])) end++
  const marked = (change: Change[0], tokens: readonly Token[]) => tokens.map((token): Change => [change, token])
  return [
    ...marked('same', now.slice(0, start)),
    ...between(old.slice(start, old.length - end), now.slice(start, now.length - end), budget),
    ...marked('same', now.slice(now.length - end)),
  ]
}

function between(old: readonly Token[], now: readonly Token[], budget: DiffBudget): Change[] {
  const pairs = old.length * now.length
  if (pairs > budget.pairs) {
    return [...now.map((token): Change => ['inserted', token]), ...old.map((token): Change => ['deleted', token])]
  }
  budget.pairs -= pairs
  const width = now.length + 1
  const common = commonLengths(old, now)
  const lengthAt = (row: number, column: number) => common[row * width + column] ?? 0
  const found: Change[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < now.length) {
    const [gone, come] = [old[row], now[column]]
    if (gone !== undefined && come !== undefined && gone.html === come.html) {
      found.push(['same', come])
      row++
      column++
    } else if (come !== undefined && (gone === undefined || lengthAt(row, column + 1) >= lengthAt(row + 1, column))) {
      found.push(['inserted', come])
      column++
    } else if (gone !== undefined) {
      found.push(['deleted', gone])
      row++
    }
  }
  return found
}

/** Returns the length of the longest common subsequence of the rest, for every pair of positions. */
function commonLengths(old: readonly Token[], now: readonly Token[]): Uint16Array {
  const numbers = new Map<string, number>()
  const [olds, nows] = [old, now].map((tokens) => Uint32Array.from(tokens, ({ html }) => numberOf(html, numbers)))
  const width = now.length + 1
  // 16 bits are enough, because the budget of pairs limits the length of the shorter list.
  const lengths = new Uint16Array((old.length + 1) * width)
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      const at = row * width + column
      lengths[at] =
        olds?.[row] === nows?.[column]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + 1] ?? 0, lengths[at + width] ?? 0)
    }
  }
  return lengths
}

/** Equal texts get equal numbers, which are compared much faster. */
function numberOf(text: string, numbers: Map<string, number>): number {
  const known = numbers.get(text) ?? numbers.size
  numbers.set(text, known)
  return known
}

/** Writes the new version, tag by tag and word by word, with marks around changes. */
class MarkedHtml {
  #html = ''
  /** Inserted words not interrupted by a tag, and deleted words that have not found their place yet. */
  #inserted = ''
  #deleted = ''
  readonly #open: string[] = []

  add(change: Change[0], token: Token): void {
    if (change === 'deleted') {
      // The words of removed elements stay, with a space where a paragraph ended.
      if (token.kind === 'text') this.#deleted += token.html
      else if (/^(?:p|li|div|br|h[1-6]|td|th|pre|blockquote)$/.test(token.name)) this.#deleted += ' '
    } else if (token.kind === 'text' && change === 'inserted') {
      this.#inserted += token.html
    } else {
      this.#flush()
      this.#html += token.html
      if (token.kind === 'tag') this.#enter(token)
    }
  }

  end(): string {
    this.#flush()
    return this.#html
  }

  #enter({ name, isEnd }: Token & { kind: 'tag' }): void {
    if (isEnd) this.#open.pop()
    else if (!VOID.has(name)) this.#open.push(name)
  }

  #flush(): void {
    if (WITHOUT_TEXT.has(this.#open.at(-1) ?? '')) {
      this.#html += this.#inserted
    } else {
      const marks = [mark('inserted', this.#inserted), mark('deleted', this.#deleted)]
      const isExchange = this.#inserted.trim() !== '' && this.#deleted.trim() !== ''
      this.#html += marks.join(isExchange ? ' ' : '')
      this.#deleted = ''
    }
    this.#inserted = ''
  }
}

/** White space stays outside of the mark; removed white space is dropped. */
function mark(change: 'inserted' | 'deleted', words: string): string {
  const text = words.trim()
  if (text === '') return change === 'inserted' ? words : ''
  const spaces =
    change === 'inserted' ? words.split(text, 2) : [/^\s/.test(words) ? ' ' : '', /\s$/.test(words) ? ' ' : '']
  return `${spaces[0] ?? ''}<span class="highlight_text_${change}">${text}</span>${spaces[1] ?? ''}`
}
