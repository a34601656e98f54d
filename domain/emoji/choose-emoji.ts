import { BadRequestError } from '../errors.ts'
import { type ReactionType, reactionTypeOf } from '../wire-values.ts'
import { type CustomEmoji, noSuchEmoji } from './custom-emoji.ts'
import { type Emoji, isSameEmoji } from './emoji.ts'
import { isExtraEmoji } from './extra.ts'
import { emojiCodeOf, emojiNameOf } from './unicode.ts'

/** An emoji as sent by a client. Missing parts follow from the name. */
export interface EmojiChoice {
  readonly name: string
  readonly code?: string | undefined
  /** Either name on the wire. */
  readonly type?: string | undefined
}

/** Returns the emoji for a name without code and type (REACT-10). @throws BadRequestError if there is none */
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

/** @throws BadRequestError for any other value (REACT-5) */
export function checkReactionType(word: string): ReactionType {
  const type = reactionTypeOf(word)
  if (type === undefined) throw new BadRequestError('Invalid emoji type.')
  return type
}

/**
 * Returns the emoji that a client means, after checking that all parts fit together (REACT-3 to REACT-10).
 *
 * @param custom emoji with the name or, as ID, the code; others are ignored
 * @param present emoji that are there already: one with this code and type is joined under its existing name
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

/** Returns the present emoji with this code, even if its name means another emoji, or none, by now. */
function joinedByCode(
  name: string,
  code: string | undefined,
  custom: readonly CustomEmoji[],
  present: readonly Emoji[],
): Emoji | undefined {
  const coded = present.filter((emoji) => emoji.code === code)
  // Different kinds of emoji may have the same code. If the name has that code, the name decides.
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

/** An unknown name is ignored, because clients have tables of their own. */
function checkUnicode(chosen: Emoji): Emoji {
  const canonical = emojiNameOf(chosen.code)
  if (canonical === undefined) throw new BadRequestError('Invalid emoji code.')
  const named = emojiCodeOf(chosen.name)
  if (named === undefined) return { ...chosen, name: canonical }
  if (named !== chosen.code) throw new BadRequestError('Invalid emoji name.')
  return chosen
}
