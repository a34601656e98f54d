import { mentionCandidates, mentionOf, type UserOfMention } from './mentions.ts'
import { parse, renderTokens } from './parser.ts'
import { renderPlain } from './plain.ts'

export { mentionCandidates, type UserOfMention }

/** HTML of a message and what follows from its content. */
export interface RenderedMessage<Id extends number = number> {
  readonly html: string
  /** Users mentioned by themselves: not silently, not in a quote, not by a wildcard. */
  readonly mentionedUserIds: Set<Id>
  readonly channelWildcard: boolean
  readonly topicWildcard: boolean
  readonly hasLink: boolean
  /** `/me` and a space begin the content, and it is one paragraph. */
  readonly isMeMessage: boolean
}

/**
 * Renders the content of a message (facts/markdown.md). Total: every string has a rendering, its HTML holds only the
 * elements and attributes of the markup, and the time grows in proportion to the length. `userOfMention` is asked for
 * what `mentionCandidates` names, and answers synchronously from what was looked up before.
 */
export function renderMessage<Id extends number = number>(
  content: string,
  { userOfMention }: { userOfMention: UserOfMention<Id> },
): RenderedMessage<Id> {
  const mentionedUserIds = new Set<Id>()
  const plain = renderPlain(content)
  if (plain !== undefined) {
    const isMeMessage = plain.isOneParagraph && startsWithMe(content)
    return {
      html: plain.html,
      mentionedUserIds,
      channelWildcard: false,
      topicWildcard: false,
      hasLink: false,
      isMeMessage,
    }
  }

  const tokens = parse(content, { userOfMention })
  let channelWildcard = false
  let topicWildcard = false
  let hasLink = false
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'link_open') hasLink = true
    if (token.type !== 'mention') continue
    const mention = mentionOf<Id>(token)
    if (mention.kind === 'channel-wildcard') channelWildcard = true
    else if (mention.kind === 'topic-wildcard') topicWildcard = true
    else if (!mention.isSilent) mentionedUserIds.add(mention.user.id)
  }
  const isMeMessage = startsWithMe(content) && tokens.length === 3 && tokens[0]?.type === 'paragraph_open'
  return { html: renderTokens(tokens), mentionedUserIds, channelWildcard, topicWildcard, hasLink, isMeMessage }
}

/** HTML of a channel's description: the same markup, in which mentions stay text. */
export function renderDescription(content: string): string {
  return renderPlain(content)?.html ?? renderTokens(parse(content, {}))
}

function startsWithMe(content: string): boolean {
  return content.startsWith('/me ')
}
