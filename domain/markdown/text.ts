import MarkdownIt, { type Token as TokenType } from 'markdown-it'
import { emojiAt } from './emoji.ts'
import { BARE, bareHostAt, linkTarget } from './links.ts'
import type { MarkdownScope, ParsingScope } from './scope.ts'

const { Token } = MarkdownIt

/** Places where an emoji name, a literal emoji or a host may begin, and with emoticons also where these may begin. */
const EMOJI_BLOCKS = String.raw`\u00a9\u00ae\u20e3\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\ud83c-\ud83f`
const HOST_RUN = String.raw`(?<![\p{L}\p{M}\p{N}._@%+/\\:#&=-])[\p{L}\p{N}][\p{L}\p{M}\p{N}._@%+-]*`
const INTERESTING = new RegExp(`:(?=[a-z0-9_+-]{1,100}:)|[#*0-9](?=\\ufe0f?\\u20e3)|[${EMOJI_BLOCKS}]`)
const LOOKS_LIKE_HOST = /[\p{L}\p{M}\p{N}]\.[\p{Ll}\p{Lo}]{2}/u
const LOOKS_LIKE_EMOTICON = /[:;(<]/
/** Has no flag u, so the surrogates of an emoji are two characters, and the first one is found. */
const STARTS = new RegExp(`${INTERESTING.source}|[:;(<]`, 'g')
const HOSTS = new RegExp(HOST_RUN, 'gu')

/** Whether translating emoticons makes a difference for `text`. */
export function mayHoldEmoticon(text: string): boolean {
  return LOOKS_LIKE_EMOTICON.test(text)
}

/** Whether `text` may contain anything that `splitTexts` looks for. */
export function isInteresting(text: string, { translateEmoticons, linkifiers }: MarkdownScope): boolean {
  if (linkifiers !== undefined && linkifiers.list.length > 0) return true
  return INTERESTING.test(text) || LOOKS_LIKE_HOST.test(text) || (translateEmoticons === true && mayHoldEmoticon(text))
}

/** A find in a text, with its position. */
interface Find {
  readonly start: number
  readonly end: number
  readonly tokens: TokenType[]
}

/**
 * Turns emoji, hosts and mail addresses without scheme, and matches of linkifiers into tokens, among the texts in
 * `children`; links do not nest.
 */
export function splitTexts(children: TokenType[], scope: ParsingScope): TokenType[] {
  let link: TokenType | undefined
  return children.flatMap((token) => {
    if (token.type === 'link_open') link = token
    else if (token.type === 'link_close') link = undefined
    if (token.type !== 'text' || link?.markup === BARE || !isInteresting(token.content, scope)) return [token]
    const links = link === undefined ? [...findHosts(token.content), ...findLinks(token.content, scope)] : []
    return cut(token.content, [...links, ...findEmoji(token.content, scope)])
  })
}

function findEmoji(text: string, scope: MarkdownScope): Find[] {
  const finds: Find[] = []
  STARTS.lastIndex = 0
  for (let match = STARTS.exec(text); match !== null; match = STARTS.exec(text)) {
    const emoji = emojiAt(text, match.index, scope)
    if (emoji === undefined) continue
    const token = new Token('emoji', 'span', 0)
    token.meta = emoji
    const end = match.index + emoji.length
    finds.push({ start: match.index, end, tokens: [token] })
    STARTS.lastIndex = end
  }
  return finds
}

function findHosts(text: string): Find[] {
  if (!LOOKS_LIKE_HOST.test(text)) return []
  const finds: Find[] = []
  HOSTS.lastIndex = 0
  for (let match = HOSTS.exec(text); match !== null; match = HOSTS.exec(text)) {
    const found = bareHostAt(text, match.index, match[0])
    if (found === undefined) continue
    const target = linkTarget(found.isMail ? `mailto:${found.text}` : `http://${found.text}`)
    const end = match.index + found.text.length
    HOSTS.lastIndex = end
    finds.push({ start: match.index, end, tokens: linkTokens(target, found.text) })
  }
  return finds
}

function findLinks(text: string, { linkifiers, links }: ParsingScope): Find[] {
  const found = linkifiers?.linksIn(text, links) ?? []
  return found.map(({ start, end, url }) => ({ start, end, tokens: linkTokens(url, text.slice(start, end)) }))
}

function linkTokens(target: string, text: string): TokenType[] {
  const open = new Token('link_open', 'a', 1)
  open.attrs = [['href', target]]
  return [open, textToken(text), new Token('link_close', 'a', -1)]
}

/**
 * Splits `text` at the finds. If two finds overlap, the one that begins first stays; if they begin at the same place,
 * the one found first.
 */
function cut(text: string, finds: Find[]): TokenType[] {
  const tokens: TokenType[] = []
  let done = 0
  for (const find of finds.toSorted((a, b) => a.start - b.start)) {
    if (find.start < done) continue
    if (find.start > done) tokens.push(textToken(text.slice(done, find.start)))
    tokens.push(...find.tokens)
    done = find.end
  }
  if (done < text.length) tokens.push(textToken(text.slice(done)))
  return tokens
}

function textToken(content: string): TokenType {
  const token = new Token('text', '', 0)
  token.content = content
  return token
}
