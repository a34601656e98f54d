import { BadRequestError } from '../errors.ts'
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

/**
 * Returns a full name without surrounding white space; every accepted name can be mentioned (USER-UPD-15).
 *
 * @throws {BadRequestError}
 */
export function checkFullName(raw: string): string {
  const name = raw.trim()
  if (isLongerThan(name, MAX_FULL_NAME_LENGTH)) throw new BadRequestError('Name too long!')
  if (!isLongerThan(name, MIN_FULL_NAME_LENGTH - 1)) throw new BadRequestError('Name too short!')
  if (NOT_IN_NAMES.test(name) || BREAKS_MENTION.test(name)) throw new BadRequestError('Invalid characters in name!')
  if (LOOKS_LIKE_NAME_AND_ID.test(name)) throw new BadRequestError('Invalid format!')
  return name
}

/** Returns a channel name without surrounding white space. @throws {BadRequestError} */
export function checkChannelName(raw: string): string {
  const name = raw.trim()
  if (name === '') throw new BadRequestError("Channel name can't be empty.")
  if (isLongerThan(name, MAX_CHANNEL_NAME_LENGTH)) {
    throw new BadRequestError(`Channel name too long (limit: ${MAX_CHANNEL_NAME_LENGTH} characters).`)
  }
  const position = invalidPosition(name)
  if (position !== undefined) throw new BadRequestError(`Invalid character in channel name, at position ${position}.`)
  return name
}
