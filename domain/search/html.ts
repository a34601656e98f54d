/** One part of rendered HTML. All `source`s joined in order are the whole. */
export type HtmlPart =
  | {
      readonly kind: 'tag'
      readonly source: string
      /** Whether it separates words. */
      readonly isBreak: boolean
    }
  | {
      readonly kind: 'text'
      readonly source: string
      /** With resolved character references. */
      readonly text: string
      /** False inside of formulas, whose markup must not contain anything else. */
      readonly isVisible: boolean
    }

/** A tag (attributes may contain `>` in quotes), a comment, or text up to the next tag. */
const PIECE = /<!--[\s\S]*?-->|<(\/?)([a-zA-Z][^\s/>]*)(?:[^>"']|"[^"]*"|'[^']*')*>|[^<]+|</g
const BLOCKS = new Set(
  'address article blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr img li ol p pre section table tbody td th thead tr ul'.split(
    ' ',
  ),
)
const FOREIGN = new Set(['math', 'svg'])
const REFERENCE = /&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|(amp|lt|gt|quot|apos|nbsp));/g
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Splits our own safe HTML, in linear time. */
export function* readHtml(html: string): Generator<HtmlPart> {
  let foreignDepth = 0
  for (const [source, slash, name] of html.matchAll(PIECE)) {
    if (name === undefined && !source.startsWith('<!--')) {
      yield { kind: 'text', source, text: resolved(source), isVisible: foreignDepth === 0 }
      continue
    }
    const element = (name ?? '').toLowerCase()
    if (FOREIGN.has(element)) foreignDepth = Math.max(0, foreignDepth + (slash === '/' ? -1 : 1))
    yield { kind: 'tag', source, isBreak: BLOCKS.has(element) }
  }
}

function resolved(source: string): string {
  return source.replace(REFERENCE, (_, ...[decimal, hexadecimal, name]: string[]) =>
    characterOf(decimal, hexadecimal, name),
  )
}

/** Returns where each UTF-16 unit of a text part begins in its `source`, and where the last one ends. */
export function offsetsOf(source: string): number[] {
  const offsets: number[] = []
  const take = (from: number, to: number): void => {
    for (let index = from; index < to; index += 1) offsets.push(index)
  }
  let position = 0
  for (const match of source.matchAll(REFERENCE)) {
    take(position, match.index)
    const character = characterOf(match[1], match[2], match[3])
    for (let unit = 0; unit < character.length; unit += 1) offsets.push(match.index)
    position = match.index + match[0].length
  }
  take(position, source.length)
  offsets.push(source.length)
  return offsets
}

function characterOf(decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return NAMED[name] ?? ''
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '\ufffd'
}
