import { chooseEmoji, type EmojiChoice } from '../emoji/choose-emoji.ts'
import type { CustomEmoji } from '../emoji/custom-emoji.ts'
import { type Emoji, toWireEmoji, type WireEmoji } from '../emoji/emoji.ts'
import { BadRequestError } from '../errors.ts'
import { MAX_STATUS_TEXT_LENGTH } from '../limits.ts'
import { boundedText } from '../text/given-text.ts'
import type { WireValues } from '../wire-values.ts'

/** A user's present status. */
export interface UserStatus {
  /** Empty for none. */
  readonly text: string
  readonly emoji: Emoji | null
  readonly isAway: boolean
}

export const NO_STATUS: UserStatus = { text: '', emoji: null, isAway: false }

/** A status as sent; missing parts stay as they are. */
export interface StatusParameters {
  readonly status_text?: string
  readonly emoji_name?: string
  readonly emoji_code?: string
  readonly reaction_type?: string
  readonly away?: boolean
}

/** The parts of a status that change. */
export type StatusChange = Partial<UserStatus>

/**
 * Returns the emoji that the caller means. @throws BadRequestError if emoji_name is missing beside parameters that need
 * it
 */
export function statusEmojiChoice(parameters: StatusParameters): EmojiChoice | undefined {
  const { emoji_name: name, emoji_code: code, reaction_type: type } = parameters
  if (name !== undefined) return name === '' ? undefined : { name, code, type }
  if (code === undefined && type === undefined) return undefined
  throw new BadRequestError('emoji_name is needed with emoji_code and reaction_type')
}

/** @param custom as for chooseEmoji @throws BadRequestError for an invalid emoji, and if nothing would change */
export function statusChange(parameters: StatusParameters, custom: readonly CustomEmoji[]): StatusChange {
  const { status_text, emoji_name, away } = parameters
  const choice = statusEmojiChoice(parameters)
  if (status_text === undefined && emoji_name === undefined && away === undefined) {
    throw new BadRequestError('Client did not pass any new values.')
  }
  const text = status_text?.trim()
  if (text !== undefined) boundedText('status_text', text, MAX_STATUS_TEXT_LENGTH)
  return {
    ...(text !== undefined && { text }),
    ...(emoji_name !== undefined && { emoji: choice ? chooseEmoji(choice, custom) : null }),
    ...(away !== undefined && { isAway: away }),
  }
}

export function isEmptyStatus({ text, emoji, isAway }: UserStatus): boolean {
  return text === '' && emoji === null && !isAway
}

/** A status as in GET /users/{user_id}/status and POST /register. */
export function toWireStatus({ text, emoji, isAway }: UserStatus, values: WireValues) {
  return {
    ...(text !== '' && { status_text: text }),
    ...(emoji && toWireEmoji(emoji, values)),
    ...(isAway && { away: true as const }),
  }
}

const NO_EMOJI: WireEmoji = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }

/** A change as in the user_status event, with the contract's names. */
export function toWireStatusChange({ text, emoji, isAway }: StatusChange) {
  return {
    ...(text !== undefined && { status_text: text }),
    ...(emoji !== undefined && (emoji ? toWireEmoji(emoji, 'contract') : NO_EMOJI)),
    ...(isAway !== undefined && { away: isAway }),
  }
}
