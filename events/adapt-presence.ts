import type { PresenceLogEvent } from '../domain/events/log-event.ts'
import { toLegacyPresence, toWirePresence } from '../domain/users/presence.ts'
import type { Adapted, Recipient } from './adapted.ts'

/** Presence in the format of the queue's client (EV-OTHER-9). */
export function adaptPresence(event: PresenceLogEvent, { descriptor }: Recipient): Adapted {
  if (descriptor.capabilities.simplified_presence_events) {
    const presences = { [String(event.userId)]: toWirePresence(event) }
    return { variant: 'modern', make: () => ({ type: 'presence', presences }) }
  }
  const isSlim = descriptor.slimPresence === true
  return {
    variant: `legacy${isSlim}`,
    make: () => ({
      type: 'presence',
      user_id: event.userId,
      ...(!isSlim && { email: event.email }),
      server_timestamp: event.serverTimestamp,
      presence: { website: toLegacyPresence(event).website },
    }),
  }
}
