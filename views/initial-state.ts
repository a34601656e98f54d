import { loopTurns } from '../db/loop-turns.ts'
import type { Readers } from '../db/repositories.ts'
import type { Actor } from '../permissions/actor.ts'
import { realmState } from './realm-state.ts'
import { channelsPart } from './state/channels.ts'
import { emojiPart } from './state/emoji.ts'
import { messagesPart } from './state/messages.ts'
import { organizationListsPart } from './state/organization-lists.ts'
import { ownItemsPart } from './state/own-items.ts'
import { presencePart } from './state/presence.ts'
import { recentDirectPart } from './state/recent-direct.ts'
import { settingsPart } from './state/settings.ts'
import type { InitialState, StatePart, StateRequest } from './state/state-request.ts'
import { statusesPart } from './state/statuses.ts'
import { userGroupsPart } from './state/user-groups.ts'
import { userTopicsPart } from './state/user-topics.ts'
import { usersPart } from './state/users.ts'

const realmPart: StatePart = async ({ organization }, _actor, { isWanted, site, uploadLimits }) =>
  isWanted('realm') ? realmState(organization, site, uploadLimits) : {}

const PARTS: readonly StatePart[] = [
  realmPart,
  usersPart,
  channelsPart,
  userTopicsPart,
  messagesPart,
  emojiPart,
  statusesPart,
  presencePart,
  settingsPart,
  userGroupsPart,
  recentDirectPart,
  ownItemsPart,
  organizationListsPart,
]

/**
 * The state that events of the fetched types (`fetch_event_types`) continue. Others are served before it where this
 * account has just had another one, between its parts, and within them (SEC-LOOP-2, SEC-LOOP-3).
 */
export async function initialState(read: Readers, actor: Actor, request: StateRequest): Promise<InitialState> {
  await loopTurns.begin(actor.id)
  const state: Partial<InitialState> = {}
  for (const part of PARTS) {
    Object.assign(state, await part(read, actor, request))
    await request.pauses.letOthers()
  }
  return state
}
