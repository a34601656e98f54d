import { isDeepStrictEqual } from 'node:util'
import * as nouns from './nouns.ts'
import { type ClientPart, type ClientState, MisfitError, type Scope, type WireEvent } from './state.ts'

/**
 * A client's copy of the answer to POST /register, one part for each noun. Fields that no event changes stay as they
 * were.
 */
const parts = Object.values(nouns) as readonly ClientPart<object>[]

const REDUCERS = new Map(parts.flatMap((part) => Object.entries(part.apply)))

/** The fetch types that a law sends to POST /register. */
export const FETCHED_TYPES: readonly string[] = parts.flatMap(({ fetched = [] }) => fetched)

/** Fields about the queue itself, which differ between two registrations. */
const OF_THE_QUEUE = ['queue_id', 'last_event_id']

/** The event types that this client knows. A run must meet all of them. */
export const KNOWN_EVENTS: readonly string[] = [...REDUCERS.keys()]

/** The key of the reducer: `type`, or `type op`. */
export function nameOf({ type, op }: WireEvent): string {
  return REDUCERS.has(`${type} ${op}`) || !REDUCERS.has(type) ? [type, op].filter(Boolean).join(' ') : type
}

/** The answer to POST /register, with empty values for the fields it lacks. */
export function completed(registered: object): ClientState {
  return Object.assign({}, ...parts.map(({ empty }) => structuredClone(empty)), registered)
}

/** The parts of the state about `scope` that every server reports in the same way. */
export function viewOf(state: ClientState, scope: Scope): Record<string, unknown> {
  return Object.assign({}, ...parts.map((part) => part.view?.(state, scope)))
}

/** Whether an event is about something in `scope`, or about the client's own user. */
export function concerns(event: WireEvent, scope: Scope): boolean {
  const part = parts.find(({ apply }) => nameOf(event) in apply)
  return part?.concerns?.(event, scope) ?? true
}

/**
 * The state after `events`, as a careful client computes it: from the events alone, in their order. An event may repeat
 * what the client already knows.
 *
 * @param onUnknown is called with events that this client does not know
 * @throws {MisfitError} if an event does not fit the state before it
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

/** The same state with every list sorted, and without fields of the queue, so that equal states compare as equal. */
export function normalized(state: ClientState): Record<string, unknown> {
  const rest = Object.fromEntries(Object.entries(state).filter(([name]) => !OF_THE_QUEUE.includes(name)))
  return Object.assign(rest, ...parts.map((part) => part.normalize?.(state)))
}

/** The top-level fields in which two states differ. */
export function differences(one: Record<string, unknown>, other: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => !isDeepStrictEqual(one[name], other[name]))
}
