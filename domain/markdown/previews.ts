import MarkdownIt, { type Token as TokenType } from 'markdown-it'
import { SHOWN_FORMAT, thumbnailUrl, type UploadedImage } from '../attachments/thumbnails.ts'
import { escapeHtml } from './escape-html.ts'
import { uploadAt, uploadOf } from './links.ts'

/** Maximum number of pictures that a message shows; one with more links shows none. */
const MAX_PREVIEWS = 24
/** Shown until there is a thumbnail. */
const PLACEHOLDER = 'class="image-loading-placeholder" src="/static/loading.png"'
const PREVIEW = /\n?<div class="message_inline_image"><a href="([^"]*)" title="([^"]*)"><img [^>]*><\/a><\/div>/g
/** Tokens that end a block whose links are followed by their previews. */
const ENDS_BLOCK: ReadonlySet<string> = new Set(['paragraph_close', 'heading_close', 'table_close'])

const { Token } = MarkdownIt

/** A link to an uploaded file, with its text. */
interface Link {
  readonly href: string
  readonly title: string
}

/**
 * Adds a place for a preview after each block, for every upload that the block is the first to link to. It is not known
 * here whether these are images. Quotes get no previews, because the original message shows the picture.
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

/** Renders a token of `withPreviewPlaces`; the HTML before and after it stays as it is without previews. */
export function renderPreviewPlaces(tokens: TokenType[], index: number): string {
  const { links } = (tokens[index] as TokenType).meta as { readonly links: readonly Link[] }
  const isTight = tokens[index - 1]?.hidden === true
  const html = links.map(({ href, title }) => previewOf(escapeHtml(href), escapeHtml(title), PLACEHOLDER)).join('\n')
  const endsItem = isTight && tokens[index + 1]?.type === 'list_item_close'
  return `${isTight ? '\n' : ''}${html}${endsItem ? '' : '\n'}`
}

/** @param href and `title` as in the HTML */
function previewOf(href: string, title: string, image: string): string {
  return `<div class="message_inline_image"><a href="${href}" title="${title}"><img ${image}></a></div>`
}

/** Whether `withPreviews` may have anything to do. */
export function hasPreviews(html: string): boolean {
  return html.includes('<div class="message_inline_image">')
}

export function hasPlaceholder(html: string): boolean {
  return html.includes(`<img ${PLACEHOLDER}`)
}

/**
 * Returns the HTML of a message with its present previews: the thumbnail of an image, or a placeholder until there is
 * one; nothing for other files. Returns the same HTML if nothing has changed.
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
