import { loopTurns } from '../db/loop-turns.ts'
import type { CommittedReaders } from '../db/shared-rows.ts'
import type { Actor } from '../permissions/actor.ts'
import type { InitialState, StateRequest } from './state/state-request.ts'
import { collected } from './state.generated.ts'

/**
 * The state that events of the fetched types (`fetch_event_types`) continue. Others are served before it where this
 * account has just had another one, between its parts, and within them (SEC-LOOP-2, SEC-LOOP-3).
 */
export async function initialState(read: CommittedReaders, actor: Actor, request: StateRequest): Promise<InitialState> {
  await loopTurns.begin(actor.id)
  const state: Partial<InitialState> = {}
  for (const part of collected) {
    Object.assign(state, await part(read, actor, request))
    await request.pauses.letOthers()
  }
  return state
}
