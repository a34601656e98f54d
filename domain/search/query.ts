import { foldCase } from '../text/text-keys.ts'
import { termOf, tokensOf } from './tokens.ts'

/** What somebody searches for: every word and every phrase has to be there. */
export interface SearchQuery {
  /** Folded. A word is found at the beginning of words, a short one only as a whole word. */
  readonly words: readonly string[]
  /** Folded texts that have to stand there as they are, in one text. */
  readonly phrases: readonly string[]
}

/** Shorter words are found whole only: as a beginning they would stand everywhere. A Hangul character is a syllable. */
const SHORTEST_BEGINNING = 3
const SHORTEST_HANGUL_BEGINNING = 2
const HANGUL = /\p{Script=Hangul}/u

/** `words "a phrase"`, in any order: the operand of `search`. An unclosed quotation mark is an ordinary character. */
export function parseSearch(operand: string): SearchQuery {
  const words = new Set<string>()
  const phrases = new Set<string>()
  for (const [part] of operand.matchAll(/"[^"]+"|\S+/g)) {
    // Two marks with nothing between them are no phrase: nothing stands everywhere.
    const isQuoted = part.length > 2 && part.startsWith('"') && part.endsWith('"')
    const text = foldCase(isQuoted ? part.slice(1, -1) : part)
    const tokens = tokensOf(text)
    for (const token of tokens) words.add(token.text)
    // foo-bar, and words of scripts without spaces: their parts belong together.
    if (isQuoted || tokens.length !== 1 || tokens[0]?.text !== text) phrases.add(text)
  }
  return { words: [...words], phrases: [...phrases] }
}

function isBeginning(word: string): boolean {
  return word.length >= (HANGUL.test(word) ? SHORTEST_HANGUL_BEGINNING : SHORTEST_BEGINNING)
}

function findsWord(word: string, token: string): boolean {
  return isBeginning(word) ? token.startsWith(word) : token === word
}

/** Whether `word` of the query finds a word of the text, as beginning or as a whole. */
export function findsToken({ words }: SearchQuery, token: string): boolean {
  return words.some((word) => findsWord(word, token))
}

/** Texts of one message, folded and taken apart once, however many searches look through them. */
export class FoldedTexts {
  readonly folded: readonly string[]
  #tokens: ReadonlySet<string> | undefined

  constructor(texts: readonly string[]) {
    this.folded = texts.map(foldCase)
  }

  get tokens(): ReadonlySet<string> {
    this.#tokens ??= new Set(this.folded.flatMap((text) => tokensOf(text).map((token) => token.text)))
    return this.#tokens
  }
}

/**
 * Whether a message with these texts is found. Without a word there is nothing to search for, and nothing is found:
 * punctuation alone would be looked for in every message that there is.
 */
export function matchesSearch(query: SearchQuery, texts: FoldedTexts): boolean {
  if (query.words.length === 0) return false
  if (!query.phrases.every((phrase) => texts.folded.some((text) => text.includes(phrase)))) return false
  const { tokens } = texts
  return query.words.every((word) => tokens.has(word) || (isBeginning(word) && some(tokens, word)))
}

function some(tokens: ReadonlySet<string>, beginning: string): boolean {
  for (const token of tokens) if (token.startsWith(beginning)) return true
  return false
}

/** The terms that messages found by the query have, as the full-text engines know them; none where nothing is found. */
export function requiredTerms({ words }: SearchQuery): { term: string; isBeginning: boolean }[] {
  return words.map((word) => ({ term: termOf(word), isBeginning: isBeginning(word) }))
}
