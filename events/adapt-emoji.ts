import { wireReactionType } from '../domain/wire-values.ts'
import type { EventOf } from '../generated/operations.ts'
import type { Adapted, Recipient } from './adapted.ts'

type EmojiEvent = EventOf<'reaction'> | EventOf<'user_status'>

/** An event with an emoji: the log has the contract's words, this server's clients may want others. */
export function adaptEmoji(event: EmojiEvent, { wireValues }: Recipient): Adapted {
  const { reaction_type: type } = event
  if (type === undefined) return { variant: '', make: () => event }
  return { variant: wireValues, make: () => ({ ...event, reaction_type: wireReactionType(type, wireValues) }) }
}
