import type { ReactionLogEvent } from '../domain/events/log-event.ts'
import type { UserId } from '../domain/ids.ts'
import { hostOf } from '../domain/organization/server-settings.ts'
import { unknownUser } from '../domain/users/unknown-user.ts'
import { wireReactionType } from '../domain/wire-values.ts'
import type { EventOf } from '../generated/operations.ts'
import type { Adapted, Recipient } from './adapted.ts'

type EmojiEvent = EventOf<'reaction'> | EventOf<'user_status'>

/** An event with an emoji: the log uses the contract's names, but clients of this server may expect others. */
export function adaptEmoji(event: EmojiEvent, { wireValues }: Recipient): Adapted {
  const { reaction_type: type } = event
  if (type === undefined) return { variant: '', make: () => event }
  return { variant: wireValues, make: () => ({ ...event, reaction_type: wireReactionType(type, wireValues) }) }
}

/** Same for a reaction: a user who is not visible is shown by the ID alone. */
export function adaptReaction({ unseenBy, ...event }: ReactionLogEvent, recipient: Recipient): Adapted {
  if (!unseenBy?.includes(recipient.userId)) return adaptEmoji(event as EventOf<'reaction'>, recipient)
  const { id: user_id, email, fullName: full_name } = unknownUser(event.user_id as UserId, hostOf(recipient))
  const form = adaptEmoji({ ...event, user: { user_id, email, full_name } } as EventOf<'reaction'>, recipient)
  return { ...form, variant: `unseen ${form.variant}` }
}
