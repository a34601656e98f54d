import { BadRequestError } from '../errors.ts'
import { type ReactionType, reactionTypeOf } from '../wire-values.ts'
import { type CustomEmoji, noSuchEmoji } from './custom-emoji.ts'
import { type Emoji, isSameEmoji } from './emoji.ts'
import { isExtraEmoji } from './extra.ts'
import { emojiCodeOf, emojiNameOf } from './unicode.ts'

/** What a client says of an emoji; what is missing follows from the name. */
export interface EmojiChoice {
  readonly name: string
  readonly code?: string | undefined
  /** Either word of the wire. */
  readonly type?: string | undefined
}

/** The emoji that a name alone means (REACT-10). @throws BadRequestError when there is none */
export function emojiNamed(name: string, custom: readonly CustomEmoji[]): Emoji {
  const emoji = findNamed(name, custom)
  if (!emoji) throw new BadRequestError(noSuchEmoji(name))
  return emoji
}

function findNamed(name: string, custom: readonly CustomEmoji[]): Emoji | undefined {
  const own = custom.find((emoji) => emoji.name === name && !emoji.isDeactivated)
  if (own) return { type: 'realm_emoji', code: String(own.id), name }
  if (isExtraEmoji(name)) return { type: 'service_extra_emoji', code: name, name }
  const code = emojiCodeOf(name)
  return code === undefined ? undefined : { type: 'unicode_emoji', code, name }
}

/** @throws BadRequestError for any other word (REACT-5) */
export function checkReactionType(word: string): ReactionType {
  const type = reactionTypeOf(word)
  if (type === undefined) throw new BadRequestError('Invalid emoji type.')
  return type
}

/**
 * The emoji that a client means, after checking that all it says of it fits (REACT-3 to REACT-10).
 *
 * @param custom those that have the name or, as id, the code; others are ignored
 * @param present emoji that are there already: one with this code and type is joined under the name that it has
 * @throws BadRequestError
 */
export function chooseEmoji(
  { name, code: givenCode, type: givenType }: EmojiChoice,
  custom: readonly CustomEmoji[],
  present: readonly Emoji[] = [],
): Emoji {
  const given = givenType === undefined ? undefined : checkReactionType(givenType)
  if (given === undefined) {
    const joined = joinedByCode(name, givenCode, custom, present)
    if (joined) return joined
  }
  const derived = givenCode === undefined || given === undefined ? emojiNamed(name, custom) : undefined
  const chosen = {
    name,
    code: givenCode ?? derived?.code ?? '',
    type: given ?? derived?.type ?? 'unicode_emoji',
  }
  const known = present.find((emoji) => isSameEmoji(emoji, chosen))
  if (known) return known
  switch (chosen.type) {
    case 'realm_emoji':
      return checkCustom(chosen, custom)
    case 'service_extra_emoji':
      return checkExtra(chosen)
    case 'unicode_emoji':
      return checkUnicode(chosen)
    default:
      return chosen.type satisfies never
  }
}

/** The present emoji with this code, whatever its name has come to mean: another emoji, or none. */
function joinedByCode(
  name: string,
  code: string | undefined,
  custom: readonly CustomEmoji[],
  present: readonly Emoji[],
): Emoji | undefined {
  const coded = present.filter((emoji) => emoji.code === code)
  // Kinds of emoji may share a code. Where it is that of the name, the name tells which one is meant.
  const named = findNamed(name, custom)
  return coded.find((emoji) => emoji.name === name) ?? (named?.code === code ? undefined : coded[0])
}

function checkCustom(chosen: Emoji, custom: readonly CustomEmoji[]): Emoji {
  const found = custom.find((emoji) => String(emoji.id) === chosen.code)
  if (!found) throw new BadRequestError('Invalid custom emoji.')
  if (found.name !== chosen.name) throw new BadRequestError('Invalid custom emoji name.')
  if (found.isDeactivated) throw new BadRequestError('This custom emoji has been deactivated.')
  return chosen
}

function checkExtra(chosen: Emoji): Emoji {
  if (!isExtraEmoji(chosen.code)) throw new BadRequestError('Invalid emoji code.')
  if (chosen.name !== chosen.code) throw new BadRequestError('Invalid emoji name.')
  return chosen
}

/** A name that no emoji has is ignored: clients with a table of their own know names that we do not. */
function checkUnicode(chosen: Emoji): Emoji {
  const canonical = emojiNameOf(chosen.code)
  if (canonical === undefined) throw new BadRequestError('Invalid emoji code.')
  const named = emojiCodeOf(chosen.name)
  if (named === undefined) return { ...chosen, name: canonical }
  if (named !== chosen.code) throw new BadRequestError('Invalid emoji name.')
  return chosen
}
