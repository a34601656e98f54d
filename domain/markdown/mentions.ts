import type { StateInline, Token } from 'markdown-it'
import { escapeHtml } from './escape-html.ts'
import { overlappingMatches } from './overlapping.ts'
import { type MarkdownScope, type MentionableGroup, type MentionableUser, scopeOf } from './scope.ts'

export type Mention<Id extends number = number> =
  | { readonly kind: 'user'; readonly user: MentionableUser<Id>; readonly isSilent: boolean }
  | { readonly kind: 'group'; readonly group: MentionableGroup; readonly isSilent: boolean }
  | { readonly kind: 'channel-wildcard'; readonly name: string }
  | { readonly kind: 'topic-wildcard'; readonly name: string }

const CHANNEL_WILDCARDS: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream'])
const TOPIC_WILDCARD = 'topic'

/**
 * `@**body**` of a user or wildcard, or `@*name*` of a group; `@_` instead of `@` makes it silent. A body contains only
 * characters of names, and is no longer than name and ID.
 */
const MENTION =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names have no control characters
  /@(_?)(?:\*\*([^*`\\>"@\0-\x1f\x7f]{1,220})\*\*|\*([^*`\\\0-\x1f\x7f]{1,200})\*(?!\*))/
const MENTION_HERE = new RegExp(MENTION, 'y')
const ALL_MENTIONS = new RegExp(MENTION, 'g')
const NAME_AND_ID = /^(.*)\|(\d{1,15})$/
/** A mention must begin a word, so `user@**Name**` is not a mention. */
const MAY_PRECEDE_MENTION = /[\s'"/<\p{Ps}\p{Pi}]/u
const AT_SIGN = 0x40

/**
 * Returns the names that mentions may need for rendering `content`, each once, as written. A superset, because code
 * counts too.
 */
export function mentionCandidates(content: string): { names: string[]; ids: number[]; groupNames: string[] } {
  const names = new Set<string>()
  const ids = new Set<number>()
  const groupNames = new Set<string>()
  if (content.includes('@')) {
    for (const [, , body, groupName] of overlappingMatches(ALL_MENTIONS, content)) {
      if (groupName !== undefined) groupNames.add(groupName)
      if (body === undefined) continue
      const { name, id } = parseBody(body)
      if (id !== undefined) ids.add(id)
      else if (name !== undefined && !isWildcard(name)) names.add(name)
    }
  }
  return { names: [...names], ids: [...ids], groupNames: [...groupNames] }
}

/** Inline rule. Text that is not a mention stays, and its asterisks may still mean emphasis. */
export function mentionRule(state: StateInline, isSpeculative: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== AT_SIGN) return false
  if (state.pos > 0 && !MAY_PRECEDE_MENTION.test(state.src.charAt(state.pos - 1))) return false
  MENTION_HERE.lastIndex = state.pos
  const match = MENTION_HERE.exec(state.src)
  if (match === null || MENTION_HERE.lastIndex > state.posMax) return false
  const end = MENTION_HERE.lastIndex
  const scope = scopeOf(state)
  const isSilent = match[1] === '_' || scope.isQuoted === true
  const mention =
    match[3] === undefined ? resolve(match[2] as string, isSilent, scope) : resolveGroup(match[3], isSilent, scope)
  if (mention === undefined) return false
  if (!isSpeculative) state.push('mention', 'span', 0).meta = mention
  state.pos = end
  return true
}

export function renderMention(tokens: Token[], index: number): string {
  const mention = mentionOf(tokens[index] as Token)
  const text = escapeHtml(mentionText(mention))
  switch (mention.kind) {
    case 'user':
      return `<span class="user-mention${mention.isSilent ? ' silent' : ''}" data-user-id="${mention.user.id}">${text}</span>`
    case 'group':
      return `<span class="user-group-mention${mention.isSilent ? ' silent' : ''}" data-user-group-id="${mention.group.id}">${text}</span>`
    case 'channel-wildcard':
      return `<span class="user-mention channel-wildcard-mention" data-user-id="*">${text}</span>`
    case 'topic-wildcard':
      return `<span class="topic-mention">${text}</span>`
  }
}

/** Returns the text of a mention for readers. */
function mentionText(mention: Mention): string {
  switch (mention.kind) {
    case 'user':
      return `${mention.isSilent ? '' : '@'}${mention.user.fullName}`
    case 'group':
      return `${mention.isSilent ? '' : '@'}${mention.group.displayName}`
    case 'channel-wildcard':
    case 'topic-wildcard':
      return `@${mention.name}`
  }
}

/** Returns the mention in a token of type `mention`, with IDs from the scope. */
export function mentionOf<Id extends number>(token: Token): Mention<Id> {
  return token.meta as Mention<Id>
}

/** Without `userOfMention`, such as in a description, wildcards mention nobody either. */
function resolve(body: string, isSilent: boolean, { userOfMention }: MarkdownScope): Mention | undefined {
  if (userOfMention === undefined) return undefined
  const { name, id } = parseBody(body)
  if (id === undefined && name !== undefined && isWildcard(name)) {
    if (isSilent) return undefined
    return { kind: name === TOPIC_WILDCARD ? 'topic-wildcard' : 'channel-wildcard', name }
  }
  const user = userOfMention(name, id)
  return user && { kind: 'user', user, isSilent: isSilent || user.isActive === false }
}

function resolveGroup(name: string, isSilent: boolean, { groupOfMention }: MarkdownScope): Mention | undefined {
  const group = groupOfMention?.(name)
  return group && { kind: 'group', group, isSilent }
}

/** `Name`, `Name|id` or `|id`. */
function parseBody(body: string): { name: string | undefined; id: number | undefined } {
  const match = NAME_AND_ID.exec(body)
  if (match === null) return { name: body, id: undefined }
  return { name: match[1] === '' ? undefined : match[1], id: Number(match[2]) }
}

function isWildcard(name: string): boolean {
  return CHANNEL_WILDCARDS.has(name) || name === TOPIC_WILDCARD
}
