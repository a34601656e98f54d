import { isDeepStrictEqual } from 'node:util'
import { attachments } from './client/attachments.ts'
import { bots } from './client/bots.ts'
import { channels } from './client/channels.ts'
import { flags } from './client/flags.ts'
import { messageChanges } from './client/message-changes.ts'
import { messages } from './client/messages.ts'
import { presence } from './client/presence.ts'
import { reactions } from './client/reactions.ts'
import { settings } from './client/settings.ts'
import type { ClientPart, ClientState, WireEvent } from './client/state.ts'
import { statuses } from './client/statuses.ts'
import { userGroups } from './client/user-groups.ts'
import { userTopics } from './client/user-topics.ts'
import { users } from './client/users.ts'

/** A client's copy of what POST /register told, by noun. Fields that no event touches stay as they were. */
const PARTS = [
  users,
  bots,
  userGroups,
  channels,
  messages,
  flags,
  messageChanges,
  reactions,
  statuses,
  settings,
  presence,
  attachments,
  userTopics,
] as readonly ClientPart<object>[]

const REDUCERS = new Map(PARTS.flatMap((part) => Object.entries(part.apply)))

/** What about the queue itself differs between two registrations. */
const OF_THE_QUEUE = ['queue_id', 'last_event_id']

/** Types of events that a run must have met: all that this client has learnt. */
export const KNOWN_EVENTS: readonly string[] = [...REDUCERS.keys()]

/** The key of the reducer: `type`, or `type op`. */
export function nameOf({ type, op }: WireEvent): string {
  return REDUCERS.has(`${type} ${op}`) || !REDUCERS.has(type) ? [type, op].filter(Boolean).join(' ') : type
}

/**
 * The state after `events`, as a careful client works it out: from the events alone, in their order, each of them
 * possibly telling again what is known. @throws on a type of event that this client has not learnt
 */
export function applyEvents(registered: ClientState, events: readonly WireEvent[]): ClientState {
  const state = structuredClone(registered)
  for (const event of events) {
    const reduce = REDUCERS.get(nameOf(event))
    if (!reduce) throw new Error(`an event that this client does not know: ${JSON.stringify(event)}`)
    reduce(state, event as never)
  }
  return state
}

/** The same state with every list in one order, and without what belongs to the queue: two equal states look the same. */
export function normalized(state: ClientState): Record<string, unknown> {
  const rest = Object.fromEntries(Object.entries(state).filter(([name]) => !OF_THE_QUEUE.includes(name)))
  return Object.assign(rest, ...PARTS.map((part) => part.normalize?.(state)))
}

/** The top-level fields in which two states differ. */
export function differences(one: Record<string, unknown>, other: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => !isDeepStrictEqual(one[name], other[name]))
}
