import { applyEvents, completed, concerns, viewOf } from '../../client/state/apply-events.ts'
import { type ChannelFields, withoutRepeated } from '../../client/state/channels.ts'
import { withoutDeletedNewest } from '../../client/state/message-changes.ts'
import type { MessageFields } from '../../client/state/messages.ts'
import type { RecentDirectFields } from '../../client/state/recent-direct.ts'
import type { ClientState, Scope, WireEvent } from '../../client/state/state.ts'
import { mostUsers, type UserFields } from '../../client/state/users.ts'
import type { World } from './world.ts'

type State = ClientState & ChannelFields & MessageFields & RecentDirectFields & UserFields

/**
 * In organizations with more active users there is no event when somebody comes online (LIMIT-24); the run creates
 * some.
 */
export const fewUsers = 90

/** The answer of POST /register to a client that asked for the modern presence format. */
export function stateOf(body: object): State {
  return { ...(completed(body) as State), is_slim: true }
}

/**
 * Two views of the world's people, channels and messages: the client's, computed from `registered` and later events,
 * and the answer of POST /register in `present`.
 *
 * @throws {Error} if an event does not fit the state before it
 */
export function views(
  world: World,
  registered: State,
  events: readonly WireEvent[],
  present: State,
): [told: unknown, is: unknown] {
  const scope: Scope = {
    users: world.userIds(),
    channels: new Map(world.channels.map((channel) => [channel.id, channel])),
    messages: new Set(world.messages.map(({ id }) => id)),
    isSmall: mostUsers(registered, events) <= fewUsers,
  }
  const ours = events.filter((event) => concerns(event, scope))
  const applied = applyEvents(registered, withoutRepeated(registered, ours), () => undefined)
  const [told, is] = withoutDeletedNewest(applied, present, false)
  return [viewOf(told, scope), viewOf(is, scope)]
}
