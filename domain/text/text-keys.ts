/**
 * Keys for comparing text without regard to case, computed here once so that every database agrees: collations differ
 * on ß, İ, accents and trailing spaces. A key is compared and indexed, never shown.
 *
 * Every key is well-formed Unicode in NFC, without white space at its ends, and a key of a key is that key.
 */

/** How many code points a key can have for each code point of the text (4 for Greek with two accents and iota subscript). */
export const MAX_KEY_GROWTH = 4

/** Key of a topic name: two topics of a channel with equal keys are one topic. */
export function topicKey(topic: string): string {
  return foldCase(topic).trim()
}

/** Key of a full name or a channel name. */
export function nameKey(name: string): string {
  return foldCase(name).trim()
}

/** Key of an alert word, and of a text in which alert words are looked for. */
export function wordKey(text: string): string {
  return foldCase(text).trim()
}

/**
 * Key of an e-mail address (AUTH-20: without regard to case and surrounding white space). A letter outside of ASCII
 * never becomes an ASCII letter as it does in other keys (ſ to s, ß to ss): such an address belongs to somebody else.
 */
export function emailKey(email: string): string {
  if (isAscii(email)) return email.toLowerCase().trim()
  return email
    .toWellFormed()
    .normalize('NFD')
    .replace(/[A-Z]|[^\0-\x7f]/gu, (letter) => {
      const folded = foldCase(letter)
      return isAscii(letter) || !HAS_ASCII.test(folded) ? folded : letter
    })
    .normalize('NFC')
    .trim()
}

/** Whether the text has no character but those of ASCII. */
export function isAscii(text: string): boolean {
  return IS_ASCII.test(text)
}

const IS_ASCII = /^[\0-\x7f]*$/
const HAS_ASCII = /[\0-\x7f]/

/**
 * Full case folding. Lowering alone keeps ß and ẞ, ſ and s, ﬁ and fi apart; raising first joins them. Lowering Σ gives
 * σ or ς by its place in the word, so ς is replaced. ı stays itself: raising would make it I, and then i.
 * Folding works on decomposed text, because the iota subscript becomes a letter and would change the order of accents.
 */
export function foldCase(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return text
    .toWellFormed()
    .normalize('NFD')
    .replace(/[^ı]+/g, (run) => run.toLowerCase().toUpperCase().toLowerCase())
    .replaceAll('ς', 'σ')
    .normalize('NFC')
}
