/** An event does not fit the client's state: an earlier event is missing, or this one is wrong. */
export class MisfitError extends Error {
  override readonly name = 'MisfitError'
}

/**
 * The answer to POST /register, as the reducers of this folder keep it up to date. Each reducer knows the fields of its
 * own noun.
 */
export interface ClientState {
  readonly user_id: number
  readonly [field: string]: unknown
}

export interface WireEvent {
  readonly id: number
  readonly type: string
  readonly op?: string
  readonly [field: string]: unknown
}

/** The users and channels that a law compares. Changes of others meanwhile do not matter to it. */
export interface Scope {
  readonly users: ReadonlySet<number>
  readonly channels: ReadonlyMap<number, { readonly name: string }>
  readonly messages: ReadonlySet<number>
  /** Whether there are few enough active users for presence events. */
  readonly isSmall: boolean
}

/** Everything a careful client knows about one noun. */
export interface ClientPart<State> {
  /** Values of `fetch_event_types` that return it; absent if laws never ask a server for it. */
  readonly fetched?: readonly string[]
  /** Values for fields that the answer to POST /register lacks, such as on older servers. */
  readonly empty?: Partial<State>
  /** Reducers by event type: keys are `type` or `type op`. */
  readonly apply: { readonly [Event in string]: (state: State & ClientState, event: never) => void }
  /** The fields of the noun, sorted, so that equal states compare as equal; absent if they already do. */
  normalize?(state: State & ClientState): Partial<State>
  /** The data about `scope` that every server reports in the same way, under the names that reports use. */
  view?(state: State & ClientState, scope: Scope): Readonly<Record<string, unknown>>
  /** Whether an event of the noun is about something in `scope`; if absent, every event is. */
  concerns?(event: WireEvent, scope: Scope): boolean
}

/** A part for events that change nothing that a client knows from POST /register. */
export function ignoring(...events: readonly string[]): ClientPart<object> {
  return { apply: Object.fromEntries(events.map((event) => [event, () => undefined])) }
}
