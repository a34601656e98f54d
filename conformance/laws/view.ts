import { applyEvents, completed, concerns, FETCHED_TYPES, viewOf } from '../../client/state/apply-events.ts'
import { type ChannelFields, withoutRepeated } from '../../client/state/channels.ts'
import { withoutDeletedNewest } from '../../client/state/message-changes.ts'
import type { MessageFields } from '../../client/state/messages.ts'
import type { RecentDirectFields } from '../../client/state/recent-direct.ts'
import type { ClientState, Scope, WireEvent } from '../../client/state/state.ts'
import { mostUsers, type UserFields } from '../../client/state/users.ts'
import type { Values } from '../deployment/account.ts'
import type { Event, EventQueue } from '../deployment/event-queue.ts'
import { modernized } from '../wire/older-events.ts'
import { clientDifferences } from './differences.ts'
import type { World } from './world.ts'

type State = ClientState & ChannelFields & MessageFields & RecentDirectFields & UserFields

/**
 * In organizations with more active users there is no event when somebody comes online (LIMIT-24); the run creates
 * some.
 */
export const fewUsers = 90

/** Parameters of POST /register for a client whose state `stateDifferences` can compute. */
export function followerOf(client: Values): Values {
  const capabilities = client.client_capabilities as Values
  return {
    include_subscribers: 'true',
    slim_presence: true,
    fetch_event_types: FETCHED_TYPES,
    ...client,
    // Without `notification_settings_null` deployed servers send null in events and the replacement in the state.
    client_capabilities: { ...capabilities, notification_settings_null: true, simplified_presence_events: true },
  }
}

/**
 * How the state of a client that registers now, in `present`, differs from that of an older one, computed from its
 * registration and the events since, as far as they concern the world's people, channels and messages.
 */
export function stateDifferences(
  world: World,
  older: EventQueue,
  events: readonly Event[],
  present: EventQueue,
): string[] {
  const registered = stateOf(older.registered.body)
  const all = modernized(events as readonly WireEvent[])
  return clientDifferences(() => {
    const scope: Scope = {
      users: world.userIds(),
      channels: new Map(world.channels.map((channel) => [channel.id, channel])),
      messages: new Set(world.messages.map(({ id }) => id)),
      isSmall: mostUsers(registered, all) <= fewUsers,
    }
    const ours = all.filter((event) => concerns(event, scope))
    const applied = applyEvents(registered, withoutRepeated(registered, ours), () => undefined)
    const [told, is] = withoutDeletedNewest(applied, stateOf(present.registered.body), false)
    return [viewOf(told, scope), viewOf(is, scope)]
  })
}

/** The answer of POST /register to a client that asked for the modern presence format. */
function stateOf(body: object): State {
  return { ...(completed(body) as State), is_slim: true }
}
