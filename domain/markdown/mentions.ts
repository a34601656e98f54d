import type { StateInline, Token } from 'markdown-it'
import { escapeHtml } from './escape-html.ts'

/** Who a mention can mean; names compare by `nameKey`, with a name and an id both must match. */
export interface MentionableUser<Id extends number = number> {
  readonly id: Id
  readonly fullName: string
}
export type UserOfMention<Id extends number = number> = (
  name: string | undefined,
  id: number | undefined,
) => MentionableUser<Id> | undefined

/** What the mention rule needs to know of the text around it; without `userOfMention` nothing is a mention. */
export interface MentionScope {
  userOfMention?: UserOfMention
  /** Inside a quote: users are named but not mentioned, wildcards stay text. */
  isQuoted?: boolean
}

export type Mention<Id extends number = number> =
  | { readonly kind: 'user'; readonly user: MentionableUser<Id>; readonly isSilent: boolean }
  | { readonly kind: 'channel-wildcard'; readonly name: string }
  | { readonly kind: 'topic-wildcard'; readonly name: string }

const CHANNEL_WILDCARDS: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream'])
const TOPIC_WILDCARD = 'topic'

/** `@**body**` or `@_**body**`. A body holds no character that a name may not have, and is no longer than name and id. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: names have no control characters
const MENTION = /@(_?)\*\*([^*`\\>"@\0-\x1f\x7f\ufffd]{1,220})\*\*/
const MENTION_HERE = new RegExp(MENTION, 'y')
const ALL_MENTIONS = new RegExp(MENTION, 'g')
const NAME_AND_ID = /^(.*)\|(\d{1,15})$/
/** A mention begins a word: `user@**Name**` is none. */
const MAY_PRECEDE_MENTION = /[\s'"/<\p{Ps}\p{Pi}]/u
const AT_SIGN = 0x40

/**
 * Names and ids that may be asked for when `content` is rendered, each once, as they are written. A superset: those in
 * code are among them.
 */
export function mentionCandidates(content: string): { names: string[]; ids: number[] } {
  const names = new Set<string>()
  const ids = new Set<number>()
  if (content.includes('@')) {
    for (const match of content.matchAll(ALL_MENTIONS)) {
      const { name, id } = parseBody(match[2] as string)
      if (id !== undefined) ids.add(id)
      else if (name !== undefined && !isWildcard(name)) names.add(name)
    }
  }
  return { names: [...names], ids: [...ids] }
}

/** Inline rule. What is no mention stays text, whose asterisks may still mean bold. */
export function mentionRule(state: StateInline, isSpeculative: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== AT_SIGN) return false
  const scope = state.env as MentionScope
  if (scope.userOfMention === undefined) return false
  if (state.pos > 0 && !MAY_PRECEDE_MENTION.test(state.src.charAt(state.pos - 1))) return false
  MENTION_HERE.lastIndex = state.pos
  const match = MENTION_HERE.exec(state.src)
  if (match === null || MENTION_HERE.lastIndex > state.posMax) return false
  const end = MENTION_HERE.lastIndex
  const mention = resolve(match[2] as string, match[1] === '_' || scope.isQuoted === true, scope.userOfMention)
  if (mention === undefined) return false
  if (!isSpeculative) state.push('mention', 'span', 0).meta = mention
  state.pos = end
  return true
}

export function renderMention(tokens: Token[], index: number): string {
  const mention = mentionOf(tokens[index] as Token)
  switch (mention.kind) {
    case 'user': {
      const name = escapeHtml(mention.user.fullName)
      return mention.isSilent
        ? `<span class="user-mention silent" data-user-id="${mention.user.id}">${name}</span>`
        : `<span class="user-mention" data-user-id="${mention.user.id}">@${name}</span>`
    }
    case 'channel-wildcard':
      return `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${mention.name}</span>`
    case 'topic-wildcard':
      return `<span class="topic-mention">@${mention.name}</span>`
  }
}

/** The mention in a token of type `mention`; its ids are those that `userOfMention` gave. */
export function mentionOf<Id extends number>(token: Token): Mention<Id> {
  return token.meta as Mention<Id>
}

function resolve(body: string, isSilent: boolean, userOfMention: UserOfMention): Mention | undefined {
  const { name, id } = parseBody(body)
  if (id === undefined && name !== undefined && isWildcard(name)) {
    if (isSilent) return undefined
    return { kind: name === TOPIC_WILDCARD ? 'topic-wildcard' : 'channel-wildcard', name }
  }
  const user = userOfMention(name, id)
  return user && { kind: 'user', user, isSilent }
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
