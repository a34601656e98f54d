import { channelCandidates } from './channel-links.ts'
import { emojiCandidates } from './emoji.ts'
import { uploadOf } from './links.ts'
import { mentionCandidates, mentionOf } from './mentions.ts'
import { parse, renderTokens } from './parser.ts'
import { isTooLong, type Piece, type RenderPieces } from './pieces.ts'
import { plainParagraphs, renderPlain } from './plain.ts'
import { withPreviewPlaces } from './previews.ts'
import type { MarkdownScope } from './scope.ts'

/** HTML of a message, and the facts that follow from its content. */
export interface RenderedMessage<Id extends number = number> {
  readonly html: string
  /** Users mentioned individually: not silently, not in a quote, not by a wildcard or group. */
  readonly mentionedUserIds: ReadonlySet<Id>
  /** Groups mentioned, but not silently and not in a quote. */
  readonly mentionedGroupIds: ReadonlySet<number>
  readonly channelWildcard: boolean
  readonly topicWildcard: boolean
  readonly hasLink: boolean
  /** Names below /user_uploads/ in links, each once. It is not known here whether these uploads exist. */
  readonly attachmentPathIds: readonly string[]
  /** The content begins with `/me` and a space, and is one paragraph. */
  readonly isMeMessage: boolean
}

/**
 * Returns the names that rendering a text may look up in its scope, each once, as written. A superset, because code
 * counts too.
 */
export function lookupCandidates(content: string) {
  // In the cells of a table, pipes are written with a backslash.
  const text = content.includes('\\|') ? `${content}\n${content.replaceAll('\\|', '|')}` : content
  return { ...mentionCandidates(text), ...channelCandidates(text), ...emojiCandidates(text) }
}

/**
 * Renders the content of a message, in time proportional to its length. Total: every string has a rendering, whose HTML
 * has a bounded length and only elements and attributes of the markup. The scope is asked for what `lookupCandidates`
 * returns, and must answer synchronously.
 */
export function renderMessage<Id extends number = number>(
  content: string,
  scope: MarkdownScope<Id>,
): RenderedMessage<Id> {
  const { html, ...found } = readMessage(content, scope)
  return withinLength(content, found, [html(scope.renderPiece)])
}

/**
 * Same as `renderMessage`, but makes the HTML of formulas and code later. The message is rendered once without them,
 * which finds them. Most messages have none and are then finished.
 */
export async function renderMessageWith<Id extends number = number>(
  content: string,
  scope: MarkdownScope<Id>,
  renderPieces: RenderPieces,
): Promise<RenderedMessage<Id>> {
  const pieces: Piece[] = []
  const collect = (piece: Piece): undefined => {
    pieces.push(piece)
  }
  const { html, ...found } = readMessage(content, { ...scope, renderPiece: collect })
  const simple = html(collect)
  if (pieces.length === 0) return withinLength(content, found, [simple])
  const results = (await renderPieces(pieces)).values()
  return withinLength(content, found, [html(() => results.next().value), simple])
}

type Found<Id extends number> = Omit<RenderedMessage<Id>, 'html'>

/** Parses a message; its HTML can be rendered more than once. */
function readMessage<Id extends number>(
  content: string,
  scope: MarkdownScope<Id>,
): Found<Id> & { html(renderPiece: MarkdownScope['renderPiece']): string } {
  const plain = renderPlain(content, scope)
  if (plain !== undefined) {
    const isMeMessage = plain.isOneParagraph && startsWithMe(content)
    return { ...NOTHING_FOUND, isMeMessage, html: () => plain.html }
  }

  const parsed = parse(content, scope as MarkdownScope)
  const tokens = scope.hasPreviewPlaces === true ? withPreviewPlaces(parsed) : parsed
  const mentionedUserIds = new Set<Id>()
  const mentionedGroupIds = new Set<number>()
  const uploads = new Set<string>()
  let channelWildcard = false
  let topicWildcard = false
  let hasLink = false
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'link_open') {
      hasLink = true
      const upload = uploadOf(token)
      if (upload !== undefined) uploads.add(upload)
    }
    if (token.type !== 'mention') continue
    const mention = mentionOf<Id>(token)
    if (mention.kind === 'channel-wildcard') channelWildcard = true
    else if (mention.kind === 'topic-wildcard') topicWildcard = true
    else if (mention.isSilent) continue
    else if (mention.kind === 'group') mentionedGroupIds.add(mention.group.id)
    else mentionedUserIds.add(mention.user.id)
  }
  return {
    html: (renderPiece) => {
      const { renderPiece: _, ...rest } = scope as MarkdownScope
      return renderTokens(tokens, renderPiece === undefined ? rest : { ...rest, renderPiece })
    },
    mentionedUserIds,
    mentionedGroupIds,
    channelWildcard,
    topicWildcard,
    hasLink,
    attachmentPathIds: [...uploads],
    isMeMessage: startsWithMe(content) && parsed.length === 3 && parsed[0]?.type === 'paragraph_open',
  }
}

/**
 * Returns the first of `htmls` that is short enough, or the text without any markup. Of what was found only the files
 * remain, because those to which no message links are deleted.
 */
function withinLength<Id extends number>(
  content: string,
  found: Found<Id>,
  htmls: readonly string[],
): RenderedMessage<Id> {
  const html = htmls.find((one) => !isTooLong(one))
  if (html !== undefined) return { ...found, html }
  const plain = plainParagraphs(content.trim())
  const isMeMessage = plain.isOneParagraph && startsWithMe(content)
  return { ...NOTHING_FOUND, attachmentPathIds: found.attachmentPathIds, html: plain.html, isMeMessage }
}

/** Renders a description: the same markup, but mentions and formulas stay text. */
export function renderDescription(content: string): string {
  const scope = {}
  return renderPlain(content, scope)?.html ?? renderTokens(parse(content, scope), scope)
}

const NOTHING_FOUND = {
  mentionedUserIds: new Set<never>(),
  mentionedGroupIds: new Set<never>(),
  channelWildcard: false,
  topicWildcard: false,
  hasLink: false,
  attachmentPathIds: [],
}

function startsWithMe(content: string): boolean {
  return content.startsWith('/me ')
}
