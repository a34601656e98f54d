import type { WireMessage } from './messages.ts'
import { type ClientPart, MisfitError, type WireEvent } from './state.ts'

interface WireReaction {
  readonly user_id: number
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}

interface ReactionEvent extends WireEvent, WireReaction {
  readonly message_id: number
}

/** Reactions are not part of the state: `withReactions` adds them to their message. */
export const part: ClientPart<object> = {
  apply: {
    'reaction add': () => undefined,
    'reaction remove': () => undefined,
  },
}

function isReaction(event: WireEvent): event is ReactionEvent {
  return event.type === 'reaction'
}

/** Returns the received `messages` with later reactions. @throws {MisfitError} if an event is impossible */
export function withReactions<Message extends WireMessage>(
  messages: readonly Message[],
  events: readonly WireEvent[],
): Message[] {
  return messages.map((message) => {
    let reactions: WireReaction[] = []
    for (const event of events) {
      if (!isReaction(event) || event.message_id !== message.id) continue
      const { emoji_name, emoji_code, reaction_type, user_id } = event
      const reaction = { emoji_name, emoji_code, reaction_type, user_id }
      const others = reactions.filter((one) => keyOf(one) !== keyOf(reaction))
      const wasThere = others.length < reactions.length
      if (wasThere === (event.op === 'add'))
        throw new MisfitError(`${event.op} of a reaction: ${JSON.stringify(event)}`)
      reactions = event.op === 'add' ? [...others, reaction] : others
    }
    return { ...message, reactions }
  })
}

function keyOf({ user_id, reaction_type, emoji_code }: WireReaction): string {
  return `${user_id} ${reaction_type} ${emoji_code}`
}
