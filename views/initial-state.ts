import type { CommittedReaders } from '../db/shared-rows.ts'
import { loopTurns } from '../event-loop/loop-turns.ts'
import type { Actor } from '../permissions/actor.ts'
import * as nouns from './state/nouns.ts'
import type { InitialState, StateRequest } from './state/state-request.ts'

/**
 * Returns the state that events of the fetched types (`fetch_event_types`) continue. If this account has just received
 * another state, others are served first. They are also served between and within its parts (SEC-LOOP-2, SEC-LOOP-3).
 */
export async function initialState(read: CommittedReaders, actor: Actor, request: StateRequest): Promise<InitialState> {
  await loopTurns.begin(actor.id)
  const state: Partial<InitialState> = {}
  for (const part of Object.values(nouns)) {
    Object.assign(state, await part(read, actor, request))
    await request.pauses.letOthers()
  }
  return state
}
