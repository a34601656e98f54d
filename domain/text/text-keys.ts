/**
 * Keys for comparing text regardless of case, computed here so that all databases agree: collations differ on ß, İ,
 * accents and trailing spaces. Keys are compared and indexed, never shown.
 *
 * Every key is well-formed Unicode in NFC, without surrounding white space, and the key of a key is that key.
 */

/**
 * Maximum number of code points in a key for each code point of the text (4 for Greek with two accents and iota
 * subscript).
 */
export const MAX_KEY_GROWTH = 4

/** Key of a topic name: topics of a channel with equal keys are one topic. */
export function topicKey(topic: string): string {
  return foldCase(topic).trim()
}

/** Key of a full name or a channel name. */
export function nameKey(name: string): string {
  return foldCase(name).trim()
}

/** Key of an alert word, and of a text in which alert words are searched. */
export function wordKey(text: string): string {
  return foldCase(text).trim()
}

/**
 * Key of an e-mail address (AUTH-20: regardless of case and surrounding white space). A letter outside of ASCII never
 * becomes an ASCII letter, as it does in other keys (ſ to s, ß to ss), because such an address belongs to somebody
 * else.
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

/** Whether the text is ASCII only. */
export function isAscii(text: string): boolean {
  return IS_ASCII.test(text)
}

const IS_ASCII = /^[\0-\x7f]*$/
const HAS_ASCII = /[\0-\x7f]/

/**
 * Full case folding. Lower case alone would keep ß and ẞ, ſ and s, ﬁ and fi apart; upper case first joins them. Lower
 * case turns Σ into σ or ς depending on its place in the word, so ς is replaced. ı stays, because upper case would make
 * it I, and then i. Folding works on decomposed text, because the iota subscript becomes a letter and would change the
 * order of accents.
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
