import type { Token } from 'markdown-it'
import { extraEmojiPicture } from '../emoji/extra.ts'
import { emojiCodeOf, literalEmojiAt } from '../emoji/unicode.ts'
import { escapeHtml } from './escape-html.ts'
import type { CustomEmoji, MarkdownScope } from './scope.ts'

/** An emoji in a text: the name that the text gives it, and its code or picture. */
type Emoji = { readonly name: string; readonly length: number } & (
  | { readonly code: string }
  | { readonly picture: CustomEmoji }
)

const NAME = /:([a-z0-9_+-]{1,100}):/y
/** Also finds overlapping names: the colon after one name may be the one before another. */
const ALL_NAMES = /:([a-z0-9_+-]{1,100})(?=:)/g
/** Emoji that people type with ordinary characters. */
const EMOTICONS: ReadonlyMap<string, string> = new Map([
  [':)', 'smile'],
  [':-)', 'smile'],
  ['(:', 'smile'],
  [':(', 'slightly_frowning_face'],
  [':-(', 'slightly_frowning_face'],
  [';)', 'wink'],
  [';-)', 'wink'],
  [':D', 'grinning'],
  [':-D', 'grinning'],
  [':|', 'expressionless'],
  [':/', 'confused'],
  [':o', 'open_mouth'],
  [':p', 'stuck_out_tongue'],
  [':P', 'stuck_out_tongue'],
  [":'(", 'cry'],
  ['<3', 'heart'],
])
/** An emoticon stands alone, perhaps followed by punctuation. */
const EMOTICON = /(?<![^\s])[:;(<][-']?[)(D|/opP:3](?![^\s.,!?])/y

/** Returns names that `content` may need, each once. A superset, because code counts too. */
export function emojiCandidates(content: string): { emojiNames: string[] } {
  if (!content.includes(':')) return { emojiNames: [] }
  return { emojiNames: [...new Set([...content.matchAll(ALL_NAMES)].map(([, name]) => name as string))] }
}

/** Returns the emoji at `position`, by its name between colons, as a character, or as an emoticon. */
export function emojiAt(text: string, position: number, scope: MarkdownScope): Emoji | undefined {
  NAME.lastIndex = position
  const [written, name] = NAME.exec(text) ?? []
  if (written !== undefined && name !== undefined) return named(name, written.length, scope)
  if (scope.translateEmoticons === true) {
    EMOTICON.lastIndex = position
    const emoticon = EMOTICON.exec(text)?.[0]
    const meant = emoticon === undefined ? undefined : EMOTICONS.get(emoticon)
    if (emoticon !== undefined && meant !== undefined) return named(meant, emoticon.length, scope)
  }
  return literalEmojiAt(text, position)
}

/**
 * Looks for custom emoji first, because they may have any name, and then for built-in ones, as in reactions (REACT-10).
 */
function named(name: string, length: number, { customEmoji }: MarkdownScope): Emoji | undefined {
  const picture = customEmoji?.(name)
  if (picture !== undefined) return { name, length, picture }
  const extra = extraEmojiPicture(name)
  if (extra !== undefined) return { name, length, picture: { src: extra } }
  const code = emojiCodeOf(name)
  return code === undefined ? undefined : { name, length, code }
}

export function renderEmoji(tokens: Token[], index: number): string {
  const emoji = (tokens[index] as Token).meta as Emoji
  const name = escapeHtml(emoji.name)
  const title = name.replaceAll('_', ' ')
  return 'code' in emoji
    ? `<span aria-label="${title}" class="emoji emoji-${emoji.code}" role="img" title="${title}">:${name}:</span>`
    : `<img alt=":${name}:" class="emoji" src="${escapeHtml(emoji.picture.src)}" title="${title}">`
}
