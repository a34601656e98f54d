import { byKey, keyed, picked } from './order.ts'
import { forgetPresence, renamePresence } from './presence.ts'
import { type ClientPart, type ClientState, MisfitError, type WireEvent } from './state.ts'
import { forgetStatus } from './statuses.ts'

interface WireUser {
  readonly user_id: number
  readonly email: string
  /** The real address, if the client may see it. */
  readonly delivery_email?: unknown
  readonly [other: string]: unknown
}

export interface UserFields {
  realm_users: WireUser[]
  realm_non_active_users: WireUser[]
}

interface ProfileChange {
  readonly id: number
  readonly value: string | null
  readonly rendered_value?: string
}

interface Person {
  readonly user_id: number
  readonly custom_profile_field?: ProfileChange
  readonly role?: number
  readonly is_active?: boolean
  readonly new_email?: string
  readonly avatar_source?: string
  readonly avatar_url_medium?: string
  readonly [changed: string]: unknown
}

const LISTS = ['realm_users', 'realm_non_active_users'] as const

export const part: ClientPart<UserFields> = {
  fetched: ['realm_user'],
  empty: { realm_users: [], realm_non_active_users: [] },
  apply: {
    'realm_user add': (state, { person }: { person: WireUser }) => {
      // A user becomes visible, whose account may be deactivated.
      for (const list of LISTS) state[list] = state[list].filter((user) => user.user_id !== person.user_id)
      state[person.is_active === false ? 'realm_non_active_users' : 'realm_users'].push(person)
    },
    'realm_user remove': (state, { person: { user_id: id } }: { person: Person }) => {
      for (const list of LISTS) {
        for (const { email } of state[list].filter((user) => user.user_id === id)) forgetPresence(state, id, email)
        state[list] = state[list].filter((user) => user.user_id !== id)
      }
      forgetStatus(state, id)
    },
    'realm_user update': (state, { person }: { person: Person }) => {
      const known = LISTS.flatMap((list) => state[list]).find((user) => user.user_id === person.user_id)
      if (!known) throw new MisfitError(`user ${person.user_id} changed, whom no event made known`)
      const { new_email: email = known.email, avatar_source: source, avatar_url_medium: _, ...rest } = person
      const { custom_profile_field: said, ...more } = rest
      const changed = {
        ...known,
        ...more,
        email,
        ...(person.role !== undefined && rightsOf(person.role)),
        ...(said && { profile_data: withValue(known.profile_data as object | undefined, said) }),
      }
      // A client that computes avatars does so for users with Gravatar whose address everybody can see.
      const isComputed = computesPictures(state) && source === 'G' && changed.delivery_email === email
      if (isComputed) Object.assign(changed, { avatar_url: null })
      if (email !== known.email) renamePresence(state, known.email, email)
      for (const list of LISTS) state[list] = state[list].filter((user) => user.user_id !== person.user_id)
      state[changed.is_active ? 'realm_users' : 'realm_non_active_users'].push(changed)
      if (person.user_id === state.user_id) applyToSelf(state, person)
    },
  },
  normalize: (state) => ({
    realm_users: byKey(state.realm_users, (user) => user.user_id),
    realm_non_active_users: byKey(state.realm_non_active_users, (user) => user.user_id),
  }),
  view: ({ realm_users: active, realm_non_active_users: others }, { users }) => ({
    users: keyed(
      [
        ...active.map((user) => ({ ...user, is_active: true })),
        ...others.map((user) => ({ ...user, is_active: false })),
      ].filter(({ user_id: id }) => users.has(id)),
      ({ user_id: id }) => id,
      (user) => picked(user, ['full_name', 'role', 'is_bot', 'timezone', 'is_active']),
    ),
  }),
  concerns: ({ person }, { users }) => users.has((person as Person).user_id),
}

/** Whether the server left any avatar for the client to compute. */
function computesPictures({ realm_users: active, realm_non_active_users: others }: UserFields): boolean {
  return [active, others].some((list) => list.some((user) => user.avatar_url === null))
}

function withValue(values: object | undefined, { id, value, rendered_value: html }: ProfileChange): object {
  const { [String(id)]: _, ...others } = { ...values } as Record<string, unknown>
  if (value === null) return others
  return { ...others, [id]: { value, ...(html !== undefined && { rendered_value: html }) } }
}

function rightsOf(role: number) {
  return { is_owner: role <= 100, is_admin: role <= 200, is_guest: role === 600 }
}

/** The user's own name, address, avatar and rights are also at the top level. */
function applyToSelf(state: UserFields & ClientState, person: Person): void {
  const { role, new_email: email } = person
  for (const field of ['full_name', 'delivery_email', 'avatar_source', 'avatar_url', 'avatar_url_medium']) {
    if (person[field] !== undefined) Object.assign(state, { [field]: person[field] })
  }
  if (email !== undefined) Object.assign(state, { email })
  if (role === undefined) return
  Object.assign(state, { ...rightsOf(role), is_moderator: role <= 300 })
}

/** The largest number of active users since the registration, according to events. */
export function mostUsers(
  { realm_users: users }: Pick<UserFields, 'realm_users'>,
  events: readonly WireEvent[],
): number {
  let count = users.length
  let most = count
  for (const { type, op, person } of events) {
    if (type !== 'realm_user') continue
    const { is_active: isActive } = person as Person
    if (op === 'add' || isActive === true) count += 1
    if (op === 'remove' || isActive === false) count -= 1
    most = Math.max(most, count)
  }
  return most
}
