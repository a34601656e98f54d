import { wireReactionType } from '../domain/wire-values.ts'
import type { EventOf } from '../generated/operations.ts'
import type { Adapted, Recipient } from './adapted.ts'

/** The log has the contract's words; this server's clients may want others. */
export function adaptReaction(event: Omit<EventOf<'reaction'>, 'id'>, { wireValues }: Recipient): Adapted {
  const reaction_type = wireReactionType(event.reaction_type, wireValues)
  return { variant: wireValues, make: () => ({ ...event, reaction_type }) as EventOf<'reaction'> }
}
