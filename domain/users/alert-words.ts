import { withLiteralEmoji } from '../emoji/literal-emoji.ts'
import type { UserId } from '../ids.ts'
import { wordKey } from '../text/text-keys.ts'

/** Whole words, and every other character by itself. An alert word begins and ends where one of these does. */
const TOKEN = /[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_]/gu

/**
 * Maximum number of parts of a text that are looked up, which takes some ten milliseconds. Ordinary texts of maximum
 * length need a few thousand. They stay below even if alert words of fifty lengths begin with each of their words.
 */
const MAX_LOOKUPS = 100_000

/**
 * Alert words of all users. Searching a text looks up, from each of its tokens, one part for each length that alert
 * words with this beginning have, regardless of the number of users and words.
 */
export class AlertWordIndex {
  /** By user, the keys of their words. */
  readonly #keys = new Map<UserId, ReadonlySet<string>>()
  /** By key. Lists, because sets take four times the memory, and most words have one user. */
  readonly #userIds = new Map<string, UserId[]>()
  /** By first token: how many keys have as many tokens as the position says. */
  readonly #lengths = new Map<string, number[]>()

  /** `words` are all words that the user has now. */
  set(userId: UserId, words: readonly string[]): void {
    const before = this.#keys.get(userId) ?? new Set()
    const keys = new Set(words.map(wordKey))
    for (const key of before.difference(keys)) this.#remove(key, userId)
    for (const key of keys.difference(before)) this.#add(key, userId)
    if (keys.size === 0) this.#keys.delete(userId)
    else this.#keys.set(userId, keys)
  }

  /** Returns the users alerted by this rendered content: by a whole word, in any case, outside of code and links. */
  usersIn(html: string): UserId[] {
    if (this.#keys.size === 0) return []
    const found = new Set<readonly UserId[]>()
    let lookups = 0
    for (const text of textsOf(withLiteralEmoji(html))) lookups = this.#search(wordKey(text), found, lookups)
    return [...new Set([...found].flat())].sort((a, b) => a - b)
  }

  /** Adds the users of each word in the text to `found`. Returns the number of look-ups, to which it adds. */
  #search(text: string, found: Set<readonly UserId[]>, before: number): number {
    const tokens = text.match(TOKEN) ?? []
    const starts = [0]
    for (const token of tokens) starts.push((starts.at(-1) ?? 0) + token.length)
    let lookups = before
    for (const [position, token] of tokens.entries()) {
      const lengths = this.#lengths.get(token)
      if (!lengths) continue
      const longest = Math.min(lengths.length - 1, tokens.length - position)
      for (let length = 1; length <= longest; length++) {
        if (!lengths[length]) continue
        if (++lookups > MAX_LOOKUPS) return lookups
        const userIds = this.#userIds.get(text.slice(starts[position], starts[position + length]))
        if (userIds) found.add(userIds)
      }
    }
    return lookups
  }

  #add(key: string, userId: UserId): void {
    const userIds = this.#userIds.get(key)
    if (userIds) {
      userIds.push(userId)
      return
    }
    this.#userIds.set(key, [userId])
    const tokens = key.match(TOKEN) ?? []
    const [first = ''] = tokens
    const lengths = this.#lengths.get(first) ?? [0]
    this.#lengths.set(first, lengths)
    while (lengths.length <= tokens.length) lengths.push(0)
    lengths[tokens.length] = (lengths[tokens.length] ?? 0) + 1
  }

  #remove(key: string, userId: UserId): void {
    const others = (this.#userIds.get(key) ?? []).filter((id) => id !== userId)
    if (others.length > 0) {
      this.#userIds.set(key, others)
      return
    }
    this.#userIds.delete(key)
    const tokens = key.match(TOKEN) ?? []
    const [first = ''] = tokens
    const lengths = this.#lengths.get(first) ?? []
    lengths[tokens.length] = (lengths[tokens.length] ?? 1) - 1
    if (lengths.every((count) => count === 0)) this.#lengths.delete(first)
  }
}

/** Tags and text of HTML that we made ourselves. No quantifier can backtrack. */
const TAG_OR_TEXT = /<(\/?)([a-z0-9]+)[^>]*>|([^<]+)/g
const NOT_READ = new Set(['pre', 'code', 'a', 'math', 'annotation'])
/** These do not end a word. */
const INLINE = new Set(['em', 'strong', 'del', 'span'])
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Returns the texts of rendered content to search. No text crosses a paragraph, an item or a cell. */
function textsOf(html: string): string[] {
  const texts: string[] = []
  let text = ''
  let depthOfNotRead = 0
  for (const [, slash, name, between] of html.matchAll(TAG_OR_TEXT)) {
    if (between !== undefined) {
      if (depthOfNotRead === 0) text += between
    } else if (name !== undefined && !INLINE.has(name)) {
      if (NOT_READ.has(name)) depthOfNotRead += slash === '/' ? -1 : 1
      texts.push(text)
      text = ''
    }
  }
  texts.push(text)
  return texts
    .filter((one) => one.trim() !== '')
    .map((one) => one.replace(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity))
}
