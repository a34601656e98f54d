/** Shared by the markup tests: directories, and the list of everything that rendered HTML may contain. */
import assert from 'node:assert/strict'
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5'
import { renderMessageWith } from './render.ts'
import type { MarkdownScope } from './scope.ts'
import { pieceRenderer, renderPiecesHere } from './tools.ts'

const users = [
  { id: 5, fullName: 'Iago' },
  { id: 6, fullName: '"><img src=x onerror=alert(1)>' },
  { id: 7, fullName: 'O & <Co>' },
]
const groups = [
  { id: 20, displayName: 'crew' },
  { id: 21, displayName: '"><script>alert(1)</script>' },
  { id: 3, displayName: 'Administrators' },
]
const channels = [
  { id: 7, name: 'General chat' },
  { id: 8, name: '"><b>.x ß*' },
]

/** A directory in which group 21 is named `bad`, group 3 role:administrators and channel 8 `evil`. */
export const directory: MarkdownScope = {
  userOfMention: (name, id) =>
    users.find(
      (user) => (id ?? user.id) === user.id && (name ?? user.fullName).toLowerCase() === user.fullName.toLowerCase(),
    ),
  groupOfMention: (name) => groups[['crew', 'bad', 'role:administrators'].indexOf(name)],
  channelOfLink: (name) => channels[['general chat', 'evil'].indexOf(name.toLowerCase())],
  latestMessageOf: (channelId, topic) => (topic === 'new' ? undefined : 900 + channelId),
  customEmoji: (name) => (name === 'parrot' ? { src: '/user_avatars/2/emoji/images/1.gif?"' } : undefined),
  publicUrl: 'https://chat.example.com',
}

/** Renders like a server, but in this thread. */
export function rendered(content: string, more: MarkdownScope = {}) {
  return renderMessageWith(content, { ...directory, ...more }, renderPiecesHere)
}

/** Renders formulas, and code in these languages, without waiting. */
export function rendererOf(...languages: string[]) {
  const code = languages.map((language) => ({ kind: 'code' as const, code: '', language }))
  return pieceRenderer([{ kind: 'formula', tex: '', isDisplayed: false }, ...code])
}

/** @param examples Markdown → its HTML */
export async function rendersAs(examples: Record<string, string>, more: MarkdownScope = {}): Promise<void> {
  for (const [content, html] of Object.entries(examples)) {
    assert.equal((await rendered(content, more)).html, html, JSON.stringify(content))
  }
}

type Attributes = Readonly<Record<string, RegExp>>
const NOTHING: Attributes = {}
const withAttributes = (names: string, attributes: Attributes): Record<string, Attributes> =>
  Object.fromEntries(names.split(' ').map((name) => [name, attributes]))

const ALIGNED: Attributes = { style: /^text-align: (?:left|center|right);$/ }
const OWN_URL = String.raw`\/[^\s"<>\\]*|#[^\s"<>\\]*`

/** Element → its attributes → patterns of their values. Rendered HTML may contain nothing else. */
const ALLOWED: Readonly<Record<string, Attributes>> = {
  ...withAttributes('p br hr strong em del code pre blockquote ul li h1 h2 h3 h4 h5 h6', NOTHING),
  ...withAttributes('table thead tbody tr', NOTHING),
  ...withAttributes('th td', ALIGNED),
  ol: { start: /^\d{1,9}$/ },
  div: {
    class: /^(?:codehilite|message_inline_image|spoiler-(?:block|header|content))$/,
    'data-code-language': /^\S(?:.*\S)?$/,
    'aria-hidden': /^true$/,
  },
  span: {
    class:
      /^(?:user-mention(?: silent| channel-wildcard-mention)?|user-group-mention(?: silent)?|topic-mention|emoji emoji-[0-9a-f-]+|[a-z][a-z0-9]?|tex-error|katex|katex-display)$/,
    'data-user-id': /^(?:\d+|\*)$/,
    'data-user-group-id': /^\d+$/,
    'aria-label': /^[a-z0-9 +-]+$/,
    role: /^img$/,
    title: /^[a-z0-9 +-]+$/,
  },
  a: {
    class: /^(?:stream|stream-topic|message-link)$/,
    'data-stream-id': /^\d+$/,
    href: new RegExp(String.raw`^(?:https?:[^\s"<>\\]*|mailto:[^\s"<>\\]*|${OWN_URL})$`, 'i'),
    title: /^/,
  },
  img: {
    alt: /^:[a-z0-9_+-]+:$/,
    class: /^(?:emoji|image-loading-placeholder)$/,
    src: /^\/(?:user_avatars\/|user_uploads\/thumbnail\/|static\/(?:emoji-|loading\.png$))/,
    'data-original-content-type': /^image\/(?:a?png|jpeg|gif|webp)$/,
    'data-original-dimensions': /^\d+x\d+$/,
    'data-animated': /^true$/,
    title: /^[a-z0-9 +-]+$/,
  },
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ },
}

const STYLE = /^(?:[a-z-]+: ?[-\w.#% ]+;?)*$/
const MATH_VALUE = /^[\w\s.#%+-]*$/
const MATH_ATTRIBUTES = Object.fromEntries(
  (
    'mathvariant stretchy fence separator lspace rspace linethickness accent accentunder rowspacing columnalign columnspacing ' +
    'columnlines rowlines scriptlevel displaystyle mathcolor mathbackground width height depth voffset notation minsize maxsize ' +
    'class display side movablelimits largeop lquote rquote'
  )
    .split(' ')
    .map((name) => [name, MATH_VALUE]),
)

/** Inside a formula, whose HTML is KaTeX's. */
const ALLOWED_IN_FORMULA: Readonly<Record<string, Attributes>> = {
  span: { class: /^[A-Za-z0-9 _-]*$/, style: STYLE, 'aria-hidden': /^true$/ },
  ...withAttributes(
    'semantics mrow mi mn mo mfrac msqrt mroot msup msub msubsup munder mover munderover mtable mtr mtd mlabeledtr mstyle mspace mtext mpadded menclose mphantom',
    { ...MATH_ATTRIBUTES, style: STYLE },
  ),
  math: { xmlns: /^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/, display: /^block$/ },
  annotation: { encoding: /^application\/x-tex$/ },
  svg: {
    xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
    width: MATH_VALUE,
    height: MATH_VALUE,
    viewBox: MATH_VALUE,
    preserveAspectRatio: MATH_VALUE,
    style: STYLE,
  },
  path: { d: /^[\sMLHVCSQTAZmlhvcsqtaz0-9.,-]*$/ },
  line: Object.fromEntries(['x1', 'y1', 'x2', 'y2', 'stroke-width'].map((name) => [name, MATH_VALUE])),
}

/** Throws if `html` has anything outside the list, or a browser would make different HTML from it. */
export function assertSafe(html: string): void {
  const fragment = parseFragment(html)
  const walk = (node: DefaultTreeAdapterTypes.ChildNode, isFormula: boolean): void => {
    if (node.nodeName === '#text') return
    assert.ok('tagName' in node, `${node.nodeName} in ${html}`)
    const attributes = (isFormula ? ALLOWED_IN_FORMULA : ALLOWED)[node.tagName]
    assert.ok(attributes, `element ${node.tagName} in ${html}`)
    for (const { name, value } of node.attrs) {
      assert.match(value, attributes[name] ?? /^(?!)/, `attribute ${name} of ${node.tagName} in ${html}`)
    }
    const isKatex = node.attrs.some(({ name, value }) => name === 'class' && value === 'katex')
    for (const child of node.childNodes) walk(child, isFormula || isKatex)
  }
  for (const child of fragment.childNodes) walk(child, false)
  assert.equal(normalized(serialize(fragment)), normalized(html), 'elements are closed where they were opened')
}

/**
 * Makes both spellings of the same HTML equal. They differ in unnecessary references, KaTeX's quotes, and the short
 * closing of images.
 */
function normalized(html: string): string {
  return html
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&nbsp;', '\u00a0')
    .replace(/<(path|line|mspace)([^>]*)\/>/g, '<$1$2></$1>')
    .replace(/<(?:svg|path|line) [^>]*>/g, (tag) => tag.replaceAll("'", '"'))
}
