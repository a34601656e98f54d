import type { WireMessage } from './messages.ts'
import { byKey } from './order.ts'
import { type ClientPart, type ClientState, MisfitError, type WireEvent } from './state.ts'

interface WireUser {
  readonly user_id: number
  readonly email: string
  readonly [other: string]: unknown
}

export interface UserFields {
  realm_users: WireUser[]
  realm_non_active_users: WireUser[]
}

interface Person {
  readonly user_id: number
  readonly role?: number
  readonly is_active?: boolean
  readonly [changed: string]: unknown
}

export const users: ClientPart<UserFields> = {
  apply: {
    'realm_user add': (state, { person }: { person: WireUser }) => {
      if (!state.realm_users.some((user) => user.user_id === person.user_id)) state.realm_users.push(person)
    },
    'realm_user update': (state, { person }: { person: Person }) => {
      const lists = ['realm_users', 'realm_non_active_users'] as const
      const known = lists.flatMap((list) => state[list]).find((user) => user.user_id === person.user_id)
      if (!known) throw new MisfitError(`user ${person.user_id} changed, whom no event made known`)
      // A client that was told of no picture computes it, as long as the picture is a public service's.
      const isComputed = known.avatar_url === null && person.avatar_source === 'G'
      const computed = isComputed && { avatar_url: null }
      const changed = { ...known, ...person, ...computed, ...(person.role !== undefined && rightsOf(person.role)) }
      for (const list of lists) state[list] = state[list].filter((user) => user.user_id !== person.user_id)
      state[changed.is_active ? 'realm_users' : 'realm_non_active_users'].push(changed)
      if (person.user_id === state.user_id) applyToSelf(state, person)
    },
  },
  normalize: (state) => ({
    realm_users: byKey(state.realm_users, (user) => user.user_id),
    realm_non_active_users: byKey(state.realm_non_active_users, (user) => user.user_id),
  }),
}

function rightsOf(role: number) {
  return { is_owner: role <= 100, is_admin: role <= 200, is_guest: role === 600 }
}

/** One's own name and rights stand at the top level, too. */
function applyToSelf(state: UserFields & ClientState, { full_name, role }: Person): void {
  if (full_name !== undefined) Object.assign(state, { full_name })
  if (role === undefined) return
  const isIn = (setting: string): boolean => isInSystemGroup(state[setting] as number, role)
  const [open, hidden] = [isIn('realm_can_create_public_channel_group'), isIn('realm_can_create_private_channel_group')]
  Object.assign(state, {
    ...rightsOf(role),
    is_moderator: role <= 300,
    can_create_streams: open || hidden,
    can_create_public_streams: open,
    can_create_private_streams: hidden,
    can_invite_others_to_realm: isIn('realm_can_invite_users_group'),
  })
}

/** The groups that follow the roles have fixed ids; nobody waits here to become a full member. */
function isInSystemGroup(groupId: number, role: number): boolean {
  const lowest = [0, 0, 100, 200, 300, 400, 400, 600][groupId]
  if (lowest === undefined) throw new MisfitError(`group ${groupId} is no group of roles`)
  return role <= lowest
}

/** `messages` as they came, with the names that their people have after `events`. */
export function withNames<Message extends WireMessage>(
  messages: readonly Message[],
  events: readonly WireEvent[],
): Message[] {
  const names = new Map<number, unknown>()
  for (const event of events) {
    const person = event.person as Person | undefined
    if (event.type === 'realm_user' && event.op === 'update' && person?.full_name !== undefined) {
      names.set(person.user_id, person.full_name)
    }
  }
  const renamed = <One extends object>(one: One, id: number, field: string): One =>
    names.has(id) ? { ...one, [field]: names.get(id) } : one
  return messages.map((message) => ({
    ...renamed(message, message.sender_id, 'sender_full_name'),
    display_recipient:
      typeof message.display_recipient === 'string'
        ? message.display_recipient
        : message.display_recipient.map((one) => renamed(one, one.id, 'full_name')),
  }))
}
