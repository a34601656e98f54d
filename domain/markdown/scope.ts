import type { LinkWork } from '../linkifiers/link-pattern.ts'
import type { Linkifiers } from '../linkifiers/linkifiers.ts'
import type { Piece, PieceHtml } from './pieces.ts'

/** Who a mention can mean; names compare by `nameKey`, with a name and an id both must match. */
export interface MentionableUser<Id extends number = number> {
  readonly id: Id
  readonly fullName: string
  /** False for whoever has left: they are named, for example where somebody quotes them, and never notified. */
  readonly isActive?: boolean
}
export type UserOfMention<Id extends number = number> = (
  name: string | undefined,
  id: number | undefined,
) => MentionableUser<Id> | undefined

export interface MentionableGroup {
  readonly id: number
  /** What readers see; for a system group not the name that is written. */
  readonly displayName: string
}

export interface LinkableChannel {
  readonly id: number
  readonly name: string
}

/** A picture that stands for a name, where no Unicode emoji does. */
export interface CustomEmoji {
  /** URL of the picture. */
  readonly src: string
}

/**
 * What was looked up for a text before it is rendered, and how it is rendered. What is absent finds nothing: mentions,
 * links and names then stay text.
 */
export interface MarkdownScope<Id extends number = number> {
  readonly userOfMention?: UserOfMention<Id>
  /** By the name as it is written. */
  readonly groupOfMention?: (name: string) => MentionableGroup | undefined
  /** By the name as it is written; only channels that the writer may know. */
  readonly channelOfLink?: (name: string) => LinkableChannel | undefined
  /** Newest message of a topic that the writer may read. */
  readonly latestMessageOf?: (channelId: number, topic: string) => number | undefined
  readonly customEmoji?: (name: string) => CustomEmoji | undefined
  readonly linkifiers?: Linkifiers
  /** Whether `:)` and its like become emoji: the writer's setting. */
  readonly translateEmoticons?: boolean
  /** Language of fences that name none; empty or absent for none. */
  readonly defaultCodeLanguage?: string
  /** Where this server is, without a slash at the end: links below it are made relative. */
  readonly publicUrl?: string
  /** Whether links to uploads have a place for a preview, which `withPreviews` fills. */
  readonly hasPreviewPlaces?: boolean
  /** Asked for the HTML of formulas and code; without it formulas in a line stay text and code has no colours. */
  readonly renderPiece?: (piece: Piece) => PieceHtml
}

/** What may still be done for one text. */
export interface WorkLeft {
  /** Lines that may still be read, counted in each block around them. */
  linesLeft: number
  /** Steps that may still be made in search of the ends of link texts. */
  labelStepsLeft: number
  /** Where the last text of a link in this block of text can end; -1 for nowhere. */
  lastLabel?: { readonly src: string; readonly end: number }
  /** What linkifiers may still do. */
  readonly links: LinkWork
  /** Dates with the name of a time zone: text → UNIX seconds, undefined for none. */
  readonly zonedDates: Map<string, number | undefined>
}

/** The scope while one text is parsed. */
export interface ParsingScope extends MarkdownScope, WorkLeft {
  readonly [other: PropertyKey]: unknown
  /** Inside a quote: users and groups are named but not mentioned, wildcards stay text. */
  isQuoted?: boolean
  /** Characters of TeX that may still be set, and of code that may still be coloured. */
  texLeft: number
  codeLeft: number
}

/** The scope that rules of markdown-it carry along without knowing it. */
export function scopeOf(state: { readonly env: object }): ParsingScope {
  return state.env as ParsingScope
}
