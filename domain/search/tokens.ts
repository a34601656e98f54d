import { foldCase, isAscii } from '../text/text-keys.ts'

/**
 * Scripts without spaces between words, with their marks that Unicode counts as common (the first is that of closing,
 * the others are long vowels and voice marks of kana), and pictures. Each character is a token, and several of these in
 * a query must be adjacent in the text.
 */
const SOLID =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3006\u30fc\uff70\uff9e\uff9f\p{Extended_Pictographic}\p{Regional_Indicator}\p{So}]/u
const TOKEN = new RegExp(
  `${SOLID.source}|(?!${SOLID.source})[\\p{L}\\p{N}](?:(?!${SOLID.source})[\\p{L}\\p{N}\\p{M}])*`,
  'gu',
)

/** Same for ASCII text, which most texts are; ten times as fast. */
const ASCII_TOKEN = /[a-zA-Z0-9]+/g

export interface Token {
  /** Folded. */
  readonly text: string
  /** Position in the folded text. */
  readonly start: number
}

/**
 * Splits a text that was folded with `foldCase` into words, in order; for all alphabets, independent of any database.
 */
export function tokensOf(folded: string): Token[] {
  return Array.from(folded.matchAll(tokenPattern(folded)), (match) => ({ text: match[0], start: match.index }))
}

function tokenPattern(folded: string): RegExp {
  return isAscii(folded) ? ASCII_TOKEN : TOKEN
}

/**
 * Maximum length of an indexed word. Only the beginning of longer words is indexed (MariaDB ignores words of more than
 * 84 characters).
 */
const MAX_TERM_LENGTH = 80

/**
 * Encodes a token for the full-text engines: ASCII letters, digits and underscores, which both engines treat as one
 * word. No engine folds, splits or drops it: `zz` makes it longer than the minimum, and keeps it off all lists of stop
 * words. If a token begins with another one, so does its term.
 */
export function termOf(token: string): string {
  const escaped = token.replace(/[^a-z0-9]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`)
  return `zz${escaped}`.slice(0, MAX_TERM_LENGTH)
}

/** Returns the terms of a message, each once, separated by spaces. */
export function indexedTerms(texts: readonly string[]): string {
  const words = new Set<string>()
  // Each text once, because the visible text of most messages equals the written one.
  for (const text of new Set(texts.map((one) => foldCase(one).trim()))) {
    for (const word of text.match(tokenPattern(text)) ?? []) words.add(word)
  }
  return [...new Set(Array.from(words, termOf))].join(' ')
}
