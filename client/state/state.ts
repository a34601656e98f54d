/** What comes does not fit what the client was told before: an event is missing, or says something wrong. */
export class MisfitError extends Error {
  override readonly name = 'MisfitError'
}

/** What the reducers of this folder keep up to date of what POST /register told; each knows the fields of its own noun. */
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

/** What a law looks at: what happens to other people and channels meanwhile does not concern it. */
export interface Scope {
  readonly users: ReadonlySet<number>
  readonly channels: ReadonlyMap<number, { readonly name: string; readonly isPrivate: boolean }>
  readonly messages: ReadonlySet<number>
  /** Whether there are so few active users that everybody's arrival is announced. */
  readonly isSmall: boolean
}

/** All that a careful client knows of one noun. */
export interface ClientPart<State> {
  /** Names in `fetch_event_types` that bring it; absent: a law does not ask any server for it. */
  readonly fetched?: readonly string[]
  /** What it is where POST /register is silent about it, as older servers are. */
  readonly empty?: Partial<State>
  /** What the events of one type, or of one type and op, do to it: keys are `type` or `type op`. */
  readonly apply: { readonly [Event in string]: (state: State & ClientState, event: never) => void }
  /** The fields of the noun in one order, so that two equal states look the same; absent: as they are. */
  normalize?(state: State & ClientState): Partial<State>
  /** What all servers tell in the same way of what is in `scope`, by the names that reports have for it. */
  view?(state: State & ClientState, scope: Scope): Readonly<Record<string, unknown>>
  /** Whether an event of the noun is about something in `scope`; absent: each is. */
  concerns?(event: WireEvent, scope: Scope): boolean
}
