import type { LinkWork } from '../linkifiers/link-pattern.ts'
import type { Linkifiers } from '../linkifiers/linkifiers.ts'
import type { Piece, PieceHtml } from './pieces.ts'

/** A user that a mention can mean. Names are compared by `nameKey`; if a name and an ID are given, both must match. */
export interface MentionableUser<Id extends number = number> {
  readonly id: Id
  readonly fullName: string
  /** False for a user who has left: mentions show the name, for example in quotes, but never notify. */
  readonly isActive?: boolean
}
export type UserOfMention<Id extends number = number> = (
  name: string | undefined,
  id: number | undefined,
) => MentionableUser<Id> | undefined

export interface MentionableGroup {
  readonly id: number
  /** The name that readers see. For a system group, it is not the name as written. */
  readonly displayName: string
}

export interface LinkableChannel {
  readonly id: number
  readonly name: string
}

/** A picture for a name without a Unicode emoji. */
export interface CustomEmoji {
  /** URL of the picture. */
  readonly src: string
}

/**
 * The results of look-ups for a text before rendering, and options for rendering it. Absent functions find nothing:
 * mentions, links and names then stay text.
 */
export interface MarkdownScope<Id extends number = number> {
  readonly userOfMention?: UserOfMention<Id>
  /** By the name as written. */
  readonly groupOfMention?: (name: string) => MentionableGroup | undefined
  /** By the name as written; only channels that the writer may know. */
  readonly channelOfLink?: (name: string) => LinkableChannel | undefined
  /** The newest message of a topic that the writer may read. */
  readonly latestMessageOf?: (channelId: number, topic: string) => number | undefined
  readonly customEmoji?: (name: string) => CustomEmoji | undefined
  readonly linkifiers?: Linkifiers
  /** Whether emoticons such as `:)` become emoji: the writer's setting. */
  readonly translateEmoticons?: boolean
  /** Language of fences that name no language; empty or absent for none. */
  readonly defaultCodeLanguage?: string
  /** Address of this server without a slash at the end; links below it become relative. */
  readonly publicUrl?: string
  /** Whether links to uploads have a place for a preview, which `withPreviews` fills. */
  readonly hasPreviewPlaces?: boolean
  /** Returns the HTML of formulas and code; without it formulas within a line stay text, and code has no colours. */
  readonly renderPiece?: (piece: Piece) => PieceHtml
}

/** The work left for one text. */
export interface WorkLeft {
  /** Lines that may still be read, counted in each block around them. */
  linesLeft: number
  /** Steps left for searching the ends of link texts. */
  labelStepsLeft: number
  /** Where the last link text in this block can end; -1 for nowhere. */
  lastLabel?: { readonly src: string; readonly end: number }
  /** Work left for linkifiers. */
  readonly links: LinkWork
  /** Dates with names of time zones: text → UNIX seconds, undefined if invalid. */
  readonly zonedDates: Map<string, number | undefined>
}

/** The scope while one text is being parsed. */
export interface ParsingScope extends MarkdownScope, WorkLeft {
  readonly [other: PropertyKey]: unknown
  /**
   * Whether the text is inside of a quote: there, users and groups are named but not mentioned, and wildcards stay
   * text.
   */
  isQuoted?: boolean
  /** Number of characters of TeX that may still be rendered, and of code that may still be coloured. */
  texLeft: number
  codeLeft: number
}

/** Returns the scope, which rules of markdown-it pass along without knowing it. */
export function scopeOf(state: { readonly env: object }): ParsingScope {
  return state.env as ParsingScope
}
