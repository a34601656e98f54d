import { isDeepStrictEqual } from 'node:util'
import { attachments } from './attachments.ts'
import { bots } from './bots.ts'
import { channels } from './channels.ts'
import { flags } from './flags.ts'
import { messageChanges } from './message-changes.ts'
import { messages } from './messages.ts'
import { organization } from './organization.ts'
import { drafts } from './own-lists.ts'
import { presence } from './presence.ts'
import { reactions } from './reactions.ts'
import { settings } from './settings.ts'
import { type ClientPart, type ClientState, MisfitError, type WireEvent } from './state.ts'
import { statuses } from './statuses.ts'
import { userGroups } from './user-groups.ts'
import { userTopics } from './user-topics.ts'
import { users } from './users.ts'

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
  drafts,
  organization,
  presence,
  attachments,
  userTopics,
] as readonly ClientPart<object>[]

const REDUCERS = new Map(PARTS.flatMap((part) => Object.entries(part.apply)))

/** Fields about the queue itself, which differ between two registrations. */
const OF_THE_QUEUE = ['queue_id', 'last_event_id']

/** Types of events that a run must have met: all that this client knows. */
export const KNOWN_EVENTS: readonly string[] = [...REDUCERS.keys()]

/** The key of the reducer: `type`, or `type op`. */
export function nameOf({ type, op }: WireEvent): string {
  return REDUCERS.has(`${type} ${op}`) || !REDUCERS.has(type) ? [type, op].filter(Boolean).join(' ') : type
}

/**
 * The state after `events`, as a careful client works it out: from the events alone, in their order; any of them
 * may repeat what is known already. @throws Error when an event does not fit what was told before
 * @param onUnknown gets what this client does not know
 */
export function applyEvents<State extends ClientState>(
  registered: State,
  events: readonly WireEvent[],
  onUnknown: (event: WireEvent) => void = refuseUnknown,
): State {
  const state = structuredClone(registered)
  for (const event of events) {
    const reduce = REDUCERS.get(nameOf(event))
    if (reduce) reduce(state, event as never)
    else onUnknown(event)
  }
  return state
}

function refuseUnknown(event: WireEvent): never {
  throw new MisfitError(`an event that this client does not know: ${JSON.stringify(event)}`)
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
