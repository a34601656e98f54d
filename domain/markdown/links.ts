import { domainToASCII } from 'node:url'
import MarkdownIt, { type StateInline, type Token as TokenType } from 'markdown-it'
import { isAscii } from '../text/text-keys.ts'

/** Allowed schemes of links. None of them runs anything in the page that shows the message. */
const SAFE_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto'])
const SCHEME = /^([a-z][a-z0-9+.-]*):/i

/** `markup` of the opening token of a link whose text is its URL. */
export const BARE = 'bare'

/** Matches the text before `://` in a bare URL. */
const BARE_SCHEME = /(?<![\p{L}\p{N}])https?$/iu
const LONGEST_BARE_SCHEME = 'https'.length
/**
 * Matches the text after `://`. It has no white space, control character, quote, bracket or backtick, no mark that
 * changes the direction of text, and no East Asian punctuation, which sentences put directly after a URL; 々, 〇 and
 * full-width letters are beside it in Unicode, and belong to URLs.
 */
const BARE_REST =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a URL ends before them
  /[^\s\0-\x1f\x7f"<>\[\\\]`\u200e\u200f\u202a-\u202e\u2066-\u2069[[\u3000-\u303f\uff00-\uffef]--[\p{L}\p{N}\p{M}]]]+/vy
const TRAILING_PUNCTUATION = /[.,;:!?'*~_)\p{Pi}\p{Pf}\p{Cf}…،؛؟।॥]/u
const COLON = 0x3a
const SLASH = 0x2f

const UPLOADS = '/user_uploads/'
/** Addresses below UPLOADS that are not the name of an upload. */
const NO_UPLOAD = /^(?:thumbnail|temporary|download)\//

const { Token } = MarkdownIt
const { normalizeLink } = MarkdownIt.prototype

/** Top-level domains of hosts without a scheme: only those that are not common file extensions. */
const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(
  (
    'com org net edu gov mil int info biz name pro aero coop museum jobs mobi travel tel cat asia post arpa ' +
    'app blog chat cloud club community company design dev digital email events games global group guide health host ' +
    'help house im ink jetzt land law legal life link live llc ltd media money network news ninja one online page party ' +
    'photo photos place plus press pub radio report rocks run sale school science services shop show site social software ' +
    'solutions space store studio support systems team tech technology tips today tools top tv university video vip ' +
    'wiki work works world xyz zone academy agency art audio bank bar berlin bike book build business cafe camp care ' +
    'center city coffee computer deals dog earth education energy engineering expert farm fit foundation fun fund gallery ' +
    'garden gmbh google graphics green haus hamburg institute koeln lab london market museum music nyc paris wien ' +
    'ac ad ae af ag ai al am ao ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cd cf cg ch ' +
    'ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl ' +
    'gm gn gp gq gr gt gu gw gy hk hm hn hr ht hu id ie il in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz ' +
    'la lb lc li lk lr ls lt lu lv ly ma mc me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no ' +
    'np nr nu nz om pa pe pf pg ph pk pl pm pn pr pt pw qa re ro ru rw sa sb sc sd se sg si sk sl sm sn sr ss st su sv sx sy ' +
    'sz tc td tf tg th tj tk tl tm tn to tr tt tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw рф укр 中国 한국'
  ).split(' '),
)
const MAIL_NAME = /^[\p{L}\p{N}._%+-]+$/u
const HOST_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u
/** Matches the text that may follow a host: a port, and a path, query or fragment. */
const PORT = /:\d{1,5}(?!\d)/y

const BEFORE_HOST = /^((?:https?:\/\/)?(?:[^/?#@]*@)?)([^/?#@:]+)/i

/** As browsers do it: in lower case, composed and without invisible characters. */
function withAsciiHost(_match: string, before: string, host: string): string {
  return before + (isAscii(host) ? host : domainToASCII(host) || host)
}

/**
 * Returns the percent-encoded address of a link written as `url`: with a safe scheme, a path or fragment on this
 * server, or a host without scheme or a mail address, which are completed. Empty for anything else.
 */
export function linkTarget(url: string): string {
  const trimmed = url.trim()
  if (trimmed === '') return ''
  const encoded = normalizeLink(trimmed.replace(BEFORE_HOST, withAsciiHost))
  const scheme = SCHEME.exec(encoded)
  if (scheme !== null) return SAFE_SCHEMES.has((scheme[1] as string).toLowerCase()) ? encoded : ''
  if (encoded.startsWith('/') || encoded.startsWith('#')) return encoded
  if (encoded.startsWith(UPLOADS.slice(1))) return `/${encoded}`
  if (encoded.includes('@') && !encoded.includes('/')) return `mailto:${encoded}`
  return `http://${encoded}`
}

/** Inline rule: a URL with scheme inside of text. Tried at the colon, because few texts have one before two slashes. */
export function bareUrlRule(state: StateInline, isSpeculative: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== COLON || src.charCodeAt(pos + 1) !== SLASH || src.charCodeAt(pos + 2) !== SLASH) {
    return false
  }
  if (state.linkLevel > 0) return false
  const scheme = BARE_SCHEME.exec(src.slice(Math.max(0, pos - LONGEST_BARE_SCHEME - 2), pos))?.[0]
  if (scheme === undefined) return false
  // Tested first, so that a text without URLs is not read to its end for each colon.
  if (!/^[\p{L}\p{N}]/u.test(src.slice(pos + 3, pos + 5))) return false
  BARE_REST.lastIndex = pos + 3
  const rest = BARE_REST.exec(src)?.[0]
  if (rest === undefined) return false
  const url = `${scheme}://${withoutTrailingPunctuation(rest)}`
  const target = linkTarget(url)
  if (target === '') return false
  if (!isSpeculative) {
    state.pending = state.pending.slice(0, -scheme.length)
    Object.assign(state.push('link_open', 'a', 1), { attrs: [['href', target]], markup: BARE })
    state.push('text', '', 0).content = url
    state.push('link_close', 'a', -1)
  }
  state.pos = pos - scheme.length + url.length
  return true
}

/**
 * Returns the host with its port and path, or the mail address, at `start` in `text`; undefined if it is neither.
 *
 * @param run the letters, digits and `._@%+-` from `start` on
 */
export function bareHostAt(text: string, start: number, run: string): { text: string; isMail: boolean } | undefined {
  let length = run.length
  while (length > 0 && '.-_+%@'.includes(run.charAt(length - 1))) length--
  const name = run.slice(0, length)
  const at = name.indexOf('@')
  if (at !== -1) {
    return MAIL_NAME.test(name.slice(0, at)) && isHost(name.slice(at + 1)) ? { text: name, isMail: true } : undefined
  }
  if (!isHost(name)) return undefined
  let rest = ''
  if (length === run.length) {
    PORT.lastIndex = start + length
    rest = PORT.exec(text)?.[0] ?? ''
    BARE_REST.lastIndex = start + length + rest.length
    if (/[/?#]/.test(text.charAt(BARE_REST.lastIndex))) {
      rest += withoutTrailingPunctuation(BARE_REST.exec(text)?.[0] ?? '')
    }
  }
  return { text: name + rest, isMail: false }
}

function isHost(name: string): boolean {
  const labels = name.split('.')
  return (
    name.length <= 253 &&
    labels.length > 1 &&
    TOP_LEVEL_DOMAINS.has(labels.at(-1) as string) &&
    labels.every((label) => label.length <= 63 && HOST_LABEL.test(label))
  )
}

/**
 * Removes scheme and host from links to this server, so that they stay valid when it moves. What would then begin with
 * two slashes stays whole, because it would lead to another host than its text shows.
 */
export function makeOwnLinksRelative(children: TokenType[], publicUrl: string): void {
  for (const token of children) {
    if (token.type !== 'link_open') continue
    const href = String(token.attrGet('href'))
    if (href.startsWith(`${publicUrl}/`) && !href.startsWith(`${publicUrl}//`))
      token.attrSet('href', href.slice(publicUrl.length))
  }
}

/** Returns the name below /user_uploads/ of the upload that a link leads to; undefined for every other link. */
export function uploadOf(linkOpen: TokenType): string | undefined {
  return uploadAt(String(linkOpen.attrGet('href')))
}

/** Same as above, for an address as written in a link. */
export function uploadAt(href: string): string | undefined {
  const start = href.indexOf(UPLOADS)
  if (start === -1 || SCHEME.test(href) || href.startsWith('//')) return undefined
  const [path = ''] = href.slice(start + UPLOADS.length).split(/[?#]/, 1)
  if (path === '' || NO_UPLOAD.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch (err) {
    if (err instanceof URIError) return undefined
    throw err
  }
}

/**
 * Gives a link without text its address as text, and turns a link without address back into text. Links do not nest.
 */
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

/** A closing parenthesis belongs to the URL if its opening one does. */
function withoutTrailingPunctuation(rest: string): string {
  let unopened = 0
  for (const character of rest) {
    if (character === '(') unopened--
    else if (character === ')') unopened++
  }
  let end = rest.length
  for (; end > 0; end--) {
    const last = rest.charAt(end - 1)
    if (!TRAILING_PUNCTUATION.test(last)) break
    if (last === ')') {
      if (unopened <= 0) break
      unopened--
    }
  }
  return rest.slice(0, end)
}
