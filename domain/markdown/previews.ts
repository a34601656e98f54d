import MarkdownIt, { type Token as TokenType } from 'markdown-it'
import { SHOWN_FORMAT, thumbnailUrl, type UploadedImage } from '../attachments/thumbnails.ts'
import { escapeHtml } from './escape-html.ts'
import { uploadAt, uploadOf } from './links.ts'

/** Pictures that a message shows; one that links to more shows none. */
const MAX_PREVIEWS = 24
/** Shown until there is a thumbnail. */
const PLACEHOLDER = 'class="image-loading-placeholder" src="/static/loading.png"'
const PREVIEW = /\n?<div class="message_inline_image"><a href="([^"]*)" title="([^"]*)"><img [^>]*><\/a><\/div>/g
/** What ends a block whose links are followed by their previews. */
const ENDS_BLOCK: ReadonlySet<string> = new Set(['paragraph_close', 'heading_close', 'table_close'])

const { Token } = MarkdownIt

/** A link to an uploaded file, and its text. */
interface Link {
  readonly href: string
  readonly title: string
}

/**
 * Puts a place for a preview behind each block, for every upload that it links to and no block before: whether these are
 * images is not known here. Not in quotes: whoever quotes does not show anew.
 */
export function withPreviewPlaces(tokens: readonly TokenType[]): TokenType[] {
  const all: TokenType[] = []
  const seen = new Set<string>()
  let links: Link[] = []
  let quotes = 0
  for (const token of tokens) {
    all.push(token)
    if (token.type === 'blockquote_open') quotes += 1
    else if (token.type === 'blockquote_close') quotes -= 1
    else if (token.type === 'inline' && quotes === 0) links.push(...linksOf(token.children ?? [], seen))
    else if (ENDS_BLOCK.has(token.type) && links.length > 0) {
      const places = new Token('previews', '', 0)
      places.block = true
      places.meta = { links }
      all.push(places)
      links = []
    }
  }
  return all
}

function linksOf(children: readonly TokenType[], seen: Set<string>): Link[] {
  const links: Link[] = []
  let open: TokenType | undefined
  let text = ''
  for (const token of children) {
    if (token.type === 'link_open') {
      open = token
      text = ''
    } else if (token.type === 'link_close' && open) {
      const upload = uploadOf(open)
      if (upload !== undefined && !seen.has(upload)) {
        seen.add(upload)
        const isAddress = text === '' || text.endsWith(upload)
        links.push({ href: String(open.attrGet('href')), title: isAddress ? (upload.split('/').at(-1) ?? '') : text })
      }
      open = undefined
    } else if (open) text += token.content
  }
  return links
}

/** The HTML of a token of `withPreviewPlaces`. Without it, everything before and behind it would look the same. */
export function renderPreviewPlaces(tokens: TokenType[], index: number): string {
  const { links } = (tokens[index] as TokenType).meta as { readonly links: readonly Link[] }
  const isTight = tokens[index - 1]?.hidden === true
  const html = links.map(({ href, title }) => previewOf(escapeHtml(href), escapeHtml(title), PLACEHOLDER)).join('\n')
  const endsItem = isTight && tokens[index + 1]?.type === 'list_item_close'
  return `${isTight ? '\n' : ''}${html}${endsItem ? '' : '\n'}`
}

/** @param href and `title` as they stand in HTML */
function previewOf(href: string, title: string, image: string): string {
  return `<div class="message_inline_image"><a href="${href}" title="${title}"><img ${image}></a></div>`
}

/** Whether there may be anything for `withPreviews` to do. */
export function hasPreviews(html: string): boolean {
  return html.includes('<div class="message_inline_image">')
}

export function hasPlaceholder(html: string): boolean {
  return html.includes(`<img ${PLACEHOLDER}`)
}

/**
 * HTML of a message with its previews as things stand: of an image its thumbnail, or a placeholder until that is made;
 * of everything else none. The same HTML where nothing has changed.
 */
export function withPreviews(html: string, images: readonly UploadedImage[]): string {
  const shown = new Map(images.flatMap((image) => (image.state === 'broken' ? [] : [[image.pathId, image] as const])))
  const imageAt = (href: string) => shown.get(uploadAt(unescaped(href)) ?? '')
  const count = [...html.matchAll(PREVIEW)].filter(([, href = '']) => imageAt(href)).length
  return html.replace(PREVIEW, (preview: string, href: string, title: string) => {
    const image = count > MAX_PREVIEWS ? undefined : imageAt(href)
    const before = preview.startsWith('\n') ? '\n' : ''
    return image ? `${before}${previewOf(href, title, attributesOf(image))}` : ''
  })
}

function attributesOf({ pathId, contentType, size, isAnimated, state }: UploadedImage): string {
  const source = state === 'made' ? `src="${escapeHtml(encodeURI(thumbnailUrl(pathId, SHOWN_FORMAT)))}"` : PLACEHOLDER
  const dimensions = size ? ` data-original-dimensions="${size.width}x${size.height}"` : ''
  const animated = isAnimated ? ' data-animated="true"' : ''
  return `${source} data-original-content-type="${escapeHtml(contentType)}"${dimensions}${animated}`
}

function unescaped(html: string): string {
  return html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
