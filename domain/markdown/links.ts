import MarkdownIt, { type StateInline, type Token as TokenType } from 'markdown-it'

/** Schemes a link may have. None of them runs anything in the page that shows the message. */
const SAFE_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto'])
const SCHEME = /^([a-z][a-z0-9+.-]*):/i

/** What precedes `://` in a bare URL. */
const BARE_SCHEME = /(?<![\p{L}\p{N}])https?$/iu
const LONGEST_BARE_SCHEME = 'https'.length
/**
 * What follows `://`: no white space, control, quote, bracket or backtick, no mark that changes the direction of text,
 * no East Asian punctuation, which sentences put right behind a URL.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a URL ends before them
const BARE_REST = /[^\s\0-\x1f\x7f"<>[\\\]`\u200e\u200f\u202a-\u202e\u2066-\u2069\u3000-\u303f\uff00-\uffef]+/y
const TRAILING_PUNCTUATION: ReadonlySet<string> = new Set([...".,;:!?'*~_)"])
const COLON = 0x3a
const SLASH = 0x2f

const { Token } = MarkdownIt
const { normalizeLink } = MarkdownIt.prototype

/**
 * The address of a link written as `url`, percent-encoded: with one of the safe schemes, a path or fragment on this
 * server, or else a host without scheme or a mail address, which are completed. Empty when it is none of these.
 */
export function linkTarget(url: string): string {
  const trimmed = url.trim()
  if (trimmed === '') return ''
  const encoded = normalizeLink(trimmed)
  const scheme = SCHEME.exec(encoded)
  if (scheme !== null) return SAFE_SCHEMES.has((scheme[1] as string).toLowerCase()) ? encoded : ''
  if (encoded.startsWith('/') || encoded.startsWith('#')) return encoded
  if (encoded.includes('@') && !encoded.includes('/')) return `mailto:${encoded}`
  return `http://${encoded}`
}

/** Inline rule: a URL with scheme inside the text. Tried at the colon, as few texts have one before two slashes. */
export function bareUrlRule(state: StateInline, isSpeculative: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== COLON || src.charCodeAt(pos + 1) !== SLASH || src.charCodeAt(pos + 2) !== SLASH) {
    return false
  }
  if (state.linkLevel > 0) return false
  const scheme = BARE_SCHEME.exec(src.slice(Math.max(0, pos - LONGEST_BARE_SCHEME - 2), pos))?.[0]
  if (scheme === undefined) return false
  BARE_REST.lastIndex = pos + 3
  const rest = BARE_REST.exec(src)?.[0]
  if (rest === undefined) return false
  const url = `${scheme}://${withoutTrailingPunctuation(rest)}`
  if (!/^[a-z]+:\/\/[\p{L}\p{N}]/iu.test(url)) return false
  const target = linkTarget(url)
  if (target === '') return false
  if (!isSpeculative) {
    state.pending = state.pending.slice(0, -scheme.length)
    state.push('link_open', 'a', 1).attrs = [['href', target]]
    state.push('text', '', 0).content = url
    state.push('link_close', 'a', -1)
  }
  state.pos = pos - scheme.length + url.length
  return true
}

/** Gives a link without text its address as text, and turns one without address back into text. Links do not nest. */
export function completeLinks(children: TokenType[]): void {
  for (let index = 0, openAt = 0; index < children.length; index++) {
    const token = children[index] as TokenType
    if (token.type === 'link_open') openAt = index
    if (token.type !== 'link_close') continue
    const open = children[openAt] as TokenType
    const address = String(open.attrGet('href'))
    if (address === '') {
      toText(open, '[')
      toText(token, ']()')
    } else if (index === openAt + 1) {
      const text = new Token('text', '', 0)
      text.content = address
      children.splice(index++, 0, text)
    }
  }
}

function toText(token: TokenType, content: string): void {
  Object.assign(token, { type: 'text', tag: '', nesting: 0, attrs: null, content })
}

/** A closing parenthesis belongs to the URL when it has its opening one there. */
function withoutTrailingPunctuation(rest: string): string {
  let unopened = 0
  for (const character of rest) {
    if (character === '(') unopened--
    else if (character === ')') unopened++
  }
  let end = rest.length
  for (; end > 0; end--) {
    const last = rest.charAt(end - 1)
    if (!TRAILING_PUNCTUATION.has(last)) break
    if (last === ')') {
      if (unopened <= 0) break
      unopened--
    }
  }
  return rest.slice(0, end)
}
