import { isDeepStrictEqual } from 'node:util'
import { type ClientPart, type ClientState, MisfitError } from './state.ts'

interface Modern {
  readonly active_timestamp: number
  readonly idle_timestamp: number
}
interface Legacy {
  readonly website: { readonly status: string; readonly timestamp: number; readonly [other: string]: unknown }
  readonly aggregated: unknown
}

export interface PresenceFields {
  /** By user id in the modern format, by email address in the older one. */
  presences: Record<string, Modern | Legacy>
  server_timestamp: number
  presence_last_update_id: number
}

interface UserList {
  readonly realm_users: readonly { readonly user_id: number; readonly email: string }[]
}

interface PresenceEvent {
  readonly presences?: Record<string, Modern>
  readonly user_id?: number
  readonly presence?: { readonly website: Legacy['website'] }
}

/** A client chooses the formats of queue and state separately, so it must convert one into the other. */
export const part: ClientPart<PresenceFields> = {
  fetched: ['presence'],
  empty: { presences: {} },
  apply: {
    presence: (state, event: PresenceEvent) => {
      for (const [id, entry] of Object.entries(event.presences ?? {})) put(state, Number(id), entry)
      if (!event.presence) return
      const { status, timestamp } = event.presence.website
      const known = state.presences[String(event.user_id)]
      const before = known && 'active_timestamp' in known ? known.active_timestamp : 0
      put(state, event.user_id ?? 0, {
        active_timestamp: status === 'active' ? timestamp : before,
        idle_timestamp: timestamp,
      })
    },
  },
  view: ({ presences }, { users, isSmall }) => ({
    ...(isSmall && {
      present: Object.keys(presences)
        .filter((id) => users.has(Number(id)))
        .toSorted(),
    }),
  }),
  concerns: ({ user_id: id, presences = {} }, { users }) =>
    [id, ...Object.keys(presences as object)].some((one) => users.has(Number(one))),
}

type State = PresenceFields & ClientState

function put(state: State, userId: number, entry: Modern): void {
  if (state.is_slim) {
    state.presences[String(userId)] = entry
    return
  }
  const email = (state as unknown as UserList).realm_users.find((user) => user.user_id === userId)?.email
  if (email === undefined) throw new MisfitError(`presence of user ${userId}, whom no event made known`)
  const isActive = entry.idle_timestamp - entry.active_timestamp <= 60
  const timestamp = isActive ? entry.active_timestamp : entry.idle_timestamp
  const aggregated = { client: 'website', status: isActive ? 'active' : 'idle', timestamp }
  state.presences[email] = { aggregated, website: { ...aggregated, pushable: false } }
}

/** The older format identifies people by address, and somebody's address changed. */
export function renamePresence(state: ClientState, from: string, to: string): void {
  const { presences } = state as Partial<PresenceFields>
  const entry = presences?.[from]
  if (!presences || !entry) return
  delete presences[from]
  presences[to] = entry
}

/** The user is no longer visible to the client. */
export function forgetPresence(state: ClientState, id: number, email: string): void {
  const { presences } = state as Partial<PresenceFields>
  if (!presences) return
  delete presences[String(id)]
  delete presences[email]
}

/** Seconds without a report after which a user counts as offline. */
const OFFLINE_SECONDS = 200
/** Larger organizations send no event when somebody comes online. */
const MAX_USERS = 100

function lastSeen(entry: Modern | Legacy): number {
  return 'idle_timestamp' in entry ? entry.idle_timestamp : entry.website.timestamp
}

/**
 * Removes values that change without events. Timestamps of people who were already online advance, because clients
 * learn them from the answer to POST /users/me/presence, and so do the server's time and the ID of the newest change.
 * The return of somebody who was offline is kept if there are few enough people for an event.
 */
export function withoutUnseenPresence<State extends PresenceFields & UserList>(expected: State, present: State): State {
  const isAnnounced = present.realm_users.length <= MAX_USERS
  const presences = Object.fromEntries(
    Object.entries(expected.presences).map(([key, entry]) => {
      const now = present.presences[key]
      const wasThere = now !== undefined && lastSeen(now) - lastSeen(entry) <= OFFLINE_SECONDS
      return [key, wasThere && !isDeepStrictEqual(now, entry) ? now : entry]
    }),
  )
  const { server_timestamp, presence_last_update_id } = present
  return {
    ...expected,
    presences: isAnnounced ? presences : present.presences,
    server_timestamp,
    presence_last_update_id,
  }
}
