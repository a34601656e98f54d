import { applyEvents, completed, concerns, viewOf } from '../../client/state/apply-events.ts'
import { type ChannelFields, withoutRepeated } from '../../client/state/channels.ts'
import { withoutDeletedNewest } from '../../client/state/message-changes.ts'
import type { MessageFields } from '../../client/state/messages.ts'
import type { RecentDirectFields } from '../../client/state/recent-direct.ts'
import type { ClientState, Scope, WireEvent } from '../../client/state/state.ts'
import { mostUsers, type UserFields } from '../../client/state/users.ts'
import type { World } from './world.ts'

type State = ClientState & ChannelFields & MessageFields & RecentDirectFields & UserFields

/** In organizations with more active users nobody's arrival is announced (LIMIT-24); some are made meanwhile. */
const fewUsers = 90

/** What POST /register told a client that asked for the modern form of presence. */
export function stateOf(body: object): State {
  return { ...(completed(body) as State), is_slim: true }
}

/**
 * What a client knows of the world's people, channels and messages: once as it works it out from `registered` and the
 * events since, once as POST /register tells it to `present`.
 * @throws Error when an event does not fit what the client was told before
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
