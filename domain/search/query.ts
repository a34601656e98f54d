import { foldCase } from '../text/text-keys.ts'
import { termOf, tokensOf } from './tokens.ts'

/** A search: all words and phrases must occur. */
export interface SearchQuery {
  /** Folded words. A word matches the beginning of words; a short one matches only whole words. */
  readonly words: readonly string[]
  /** Those of `words` that are not only parts of a phrase. */
  readonly alone: readonly string[]
  /** Folded texts that must occur literally, each within one text. */
  readonly phrases: readonly string[]
}

/**
 * Shorter words match only whole words, because as prefixes they would match everywhere. A Hangul character is a
 * syllable.
 */
const SHORTEST_BEGINNING = 3
const SHORTEST_HANGUL_BEGINNING = 2
const HANGUL = /\p{Script=Hangul}/u
/**
 * Direction marks, zero-width spaces and the like, which come along when a text is copied. The look-behind makes it try
 * each run of them once.
 */
const INVISIBLE_ENDS = /^\p{Cf}+|(?<!\p{Cf})\p{Cf}+$/gu

/**
 * Parses `words "a phrase"`, in any order: the operand of `search`. An unclosed quotation mark is an ordinary
 * character.
 */
export function parseSearch(operand: string): SearchQuery {
  const words = new Set<string>()
  const alone = new Set<string>()
  const phrases = new Set<string>()
  for (const [part] of operand.matchAll(/"[^"]+"|\S+/g)) {
    // Two quotation marks with nothing between them are not a phrase.
    const isQuoted = part.length > 2 && part.startsWith('"') && part.endsWith('"')
    const text = foldCase(isQuoted ? part.slice(1, -1) : part).replace(INVISIBLE_ENDS, '')
    // An empty phrase would be found at every position.
    if (text === '') continue
    const tokens = tokensOf(text)
    for (const token of tokens) words.add(token.text)
    // The parts of foo-bar, and of words in scripts without spaces, belong together.
    if (isQuoted || tokens.length !== 1 || tokens[0]?.text !== text) phrases.add(text)
    else alone.add(text)
  }
  return { words: [...words], alone: [...alone], phrases: [...phrases] }
}

function isBeginning(word: string): boolean {
  return word.length >= (HANGUL.test(word) ? SHORTEST_HANGUL_BEGINNING : SHORTEST_BEGINNING)
}

function findsWord(word: string, token: string): boolean {
  return isBeginning(word) ? token.startsWith(word) : token === word
}

/** Whether a word that stands alone in the query matches a word of the text, as prefix or as a whole. */
export function findsToken({ alone }: SearchQuery, token: string): boolean {
  return alone.some((word) => findsWord(word, token))
}

/** Texts of one message, folded and split once for any number of searches. */
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
 * Whether a message with these texts matches. A query without words matches nothing: punctuation alone would have to be
 * searched in every message.
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

/**
 * Returns the terms that all matching messages contain, in the form of the full-text engines; none if nothing matches.
 */
export function requiredTerms({ words }: SearchQuery): { term: string; isBeginning: boolean }[] {
  return words.map((word) => ({ term: termOf(word), isBeginning: isBeginning(word) }))
}
