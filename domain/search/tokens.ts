import { foldCase, isAscii } from '../text/text-keys.ts'

/**
 * Scripts that put no spaces between words, and pictures: each character is a token of its own, and what was asked for
 * with several of them has to stand side by side.
 */
const SOLID =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}\p{Regional_Indicator}\p{So}]/u
const TOKEN = new RegExp(
  `${SOLID.source}|(?!${SOLID.source})[\\p{L}\\p{N}](?:(?!${SOLID.source})[\\p{L}\\p{N}\\p{M}])*`,
  'gu',
)

/** The same for text of nothing but ASCII, as most is: ten times as fast. */
const ASCII_TOKEN = /[a-zA-Z0-9]+/g

export interface Token {
  /** Folded. */
  readonly text: string
  /** In the folded text it was found in. */
  readonly start: number
}

/** Words of a text that was folded with `foldCase`, in order; all alphabets, independent of any database. */
export function tokensOf(folded: string): Token[] {
  return Array.from(folded.matchAll(tokenPattern(folded)), (match) => ({ text: match[0], start: match.index }))
}

function tokenPattern(folded: string): RegExp {
  return isAscii(folded) ? ASCII_TOKEN : TOKEN
}

/** Of longer words only the beginning is indexed (MariaDB ignores words of more than 84 characters). */
const MAX_TERM_LENGTH = 80

/**
 * The token as the full-text engines are given it: ASCII letters, digits and underscores, which both take as one word.
 * No engine folds, splits or drops it: `zz` lifts it above the least length and out of every list of stop words.
 * A token that begins with another has a term that begins with the other's term.
 */
export function termOf(token: string): string {
  const escaped = token.replace(/[^a-z0-9]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`)
  return `zz${escaped}`.slice(0, MAX_TERM_LENGTH)
}

/** The terms of a message, each once, with spaces between them. */
export function indexedTerms(texts: readonly string[]): string {
  const words = new Set<string>()
  // Each text once: most messages read as they were written.
  for (const text of new Set(texts.map((one) => foldCase(one).trim()))) {
    for (const word of text.match(tokenPattern(text)) ?? []) words.add(word)
  }
  return [...new Set(Array.from(words, termOf))].join(' ')
}
