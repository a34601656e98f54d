import { type ReactionType, type WireReactionType, type WireValues, wireReactionType } from '../wire-values.ts'

/** An emoji in a reaction or status. Type and code identify it; people use the name. */
export interface Emoji {
  readonly type: ReactionType
  readonly code: string
  readonly name: string
}

export function isSameEmoji(one: Pick<Emoji, 'type' | 'code'>, other: Pick<Emoji, 'type' | 'code'>): boolean {
  return one.type === other.type && one.code === other.code
}

/** The three fields of an emoji in the API. */
export interface WireEmoji {
  emoji_name: string
  emoji_code: string
  reaction_type: WireReactionType
}

export function toWireEmoji({ type, code, name }: Emoji, values: WireValues): WireEmoji {
  return { emoji_name: name, emoji_code: code, reaction_type: wireReactionType(type, values) }
}
