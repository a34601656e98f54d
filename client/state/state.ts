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

/** What a careful client does with the events of one type, or of one type and op: keys are `type` or `type op`. */
export interface ClientPart<State> {
  readonly apply: { readonly [Event in string]: (state: State & ClientState, event: never) => void }
  /** The fields of the noun in one order, so that two equal states look the same; absent: as they are. */
  normalize?(state: State & ClientState): Partial<State>
}
