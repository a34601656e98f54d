import type { UserId } from '../ids.ts'
import { wordKey } from '../text/text-keys.ts'

interface Node {
  readonly next: Map<string, Node>
  /** Users who have the alert word that ends at this node. */
  readonly userIds: Set<UserId>
}

const newNode = (): Node => ({ next: new Map(), userIds: new Set() })
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u

/**
 * Alert words of all users as one tree of letters. Searching a text costs one walk from each of its words, at most as
 * long as the longest alert word, regardless of the number of users and words.
 */
export class AlertWordIndex {
  readonly #root = newNode()
  readonly #keys = new Map<UserId, readonly string[]>()

  /** `words` are all words that the user has now. */
  set(userId: UserId, words: readonly string[]): void {
    for (const key of this.#keys.get(userId) ?? []) remove(this.#root, [...key], userId)
    const keys = words.map(wordKey)
    if (keys.length === 0) this.#keys.delete(userId)
    else this.#keys.set(userId, keys)
    for (const key of keys) add(this.#root, [...key], userId)
  }

  /** Returns the users alerted by this rendered content: by a whole word, in any case, outside of code and links. */
  usersIn(html: string): UserId[] {
    if (this.#keys.size === 0) return []
    const found = new Set<UserId>()
    for (const text of textsOf(html)) this.#search([...wordKey(text)], found)
    return [...found].sort((a, b) => a - b)
  }

  #search(characters: readonly string[], found: Set<UserId>): void {
    for (let start = 0; start < characters.length; start++) {
      if (isInsideWord(characters, start)) continue
      let node = this.#root.next.get(characters[start] ?? '')
      for (let end = start + 1; node; end++) {
        if (node.userIds.size > 0 && !isInsideWord(characters, end)) for (const id of node.userIds) found.add(id)
        node = node.next.get(characters[end] ?? '')
      }
    }
  }
}

/** Whether the characters on both sides of `position` belong to one word. */
function isInsideWord(characters: readonly string[], position: number): boolean {
  const [before, after] = [characters[position - 1], characters[position]]
  return before !== undefined && after !== undefined && WORD_CHARACTER.test(before) && WORD_CHARACTER.test(after)
}

function add(root: Node, key: readonly string[], userId: UserId): void {
  let node = root
  for (const character of key) {
    let next = node.next.get(character)
    if (!next) {
      next = newNode()
      node.next.set(character, next)
    }
    node = next
  }
  node.userIds.add(userId)
}

/** Also removes branches that lead to nobody any more. */
function remove(node: Node, key: readonly string[], userId: UserId): void {
  const [character, ...rest] = key
  if (character === undefined) {
    node.userIds.delete(userId)
    return
  }
  const next = node.next.get(character)
  if (!next) return
  remove(next, rest, userId)
  if (next.userIds.size === 0 && next.next.size === 0) node.next.delete(character)
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
