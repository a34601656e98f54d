import { accept, type Checked, refuse } from '../checked.ts'
import { isLongerThan } from './code-points.ts'

/** Code points of a user's full name. */
export const MAX_FULL_NAME_LENGTH = 100
const MIN_FULL_NAME_LENGTH = 2
/** Code points of a channel's name, max_stream_name_length of POST /register. */
export const MAX_CHANNEL_NAME_LENGTH = 60

/**
 * Characters that names must not contain: control characters, lone surrogates, line and paragraph separators, and
 * noncharacters, at which clients that read XML or strict UTF-8 stop. Format characters such as U+200B and U+202E are
 * allowed, because names of some languages and emoji need them; users are identified by their IDs.
 */
export const NOT_IN_NAMES = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u
/** These end or break a mention of the name in Markdown. */
const BREAKS_MENTION = /[*`\\>"@]/
/** A mention of `Name|5` would mean the user 5. */
const LOOKS_LIKE_NAME_AND_ID = /\|\d+$/

/** Returns the position of the first invalid character, counted from 1 in code points; undefined if there is none. */
export function invalidPosition(name: string): number | undefined {
  const index = [...name].findIndex((character) => NOT_IN_NAMES.test(character))
  return index < 0 ? undefined : index + 1
}

/** Returns a full name without surrounding white space; every accepted name can be mentioned (USER-UPD-15). */
export function checkFullName(raw: string): Checked<string> {
  const name = raw.trim()
  if (isLongerThan(name, MAX_FULL_NAME_LENGTH)) return refuse('Name too long!')
  if (!isLongerThan(name, MIN_FULL_NAME_LENGTH - 1)) return refuse('Name too short!')
  if (NOT_IN_NAMES.test(name) || BREAKS_MENTION.test(name)) return refuse('Invalid characters in name!')
  if (LOOKS_LIKE_NAME_AND_ID.test(name)) return refuse('Invalid format!')
  return accept(name)
}

/** Returns a channel name without surrounding white space. */
export function checkChannelName(raw: string): Checked<string> {
  const name = raw.trim()
  if (name === '') return refuse("Channel name can't be empty.")
  if (isLongerThan(name, MAX_CHANNEL_NAME_LENGTH)) {
    return refuse(`Channel name too long (limit: ${MAX_CHANNEL_NAME_LENGTH} characters).`)
  }
  const position = invalidPosition(name)
  if (position !== undefined) return refuse(`Invalid character in channel name, at position ${position}.`)
  return accept(name)
}
