import type { EncodedJson } from '../domain/json-pieces.ts'
import { isShownTo, SHOWN_TO_ALL } from '../domain/users/email-visibility.ts'
import { ROLE } from '../domain/users/roles.ts'
import { unknownUser } from '../domain/users/unknown-user.ts'
import { toWireUser, type User, type WireUserOptions } from '../domain/users/user.ts'
import type { Pauses } from '../event-loop/pauses.ts'
import { ItemJson } from './item-json.ts'

/** An ID that no account has, for JSON in which no account is the viewer's own. */
const SOMEBODY_ELSE = 0 as User['id']

const made = new Map<string, ItemJson<User>>()

/** JSON is cached by account object, so each hidden account keeps one placeholder object too. */
const unknown = new WeakMap<User, User>()

/**
 * Returns `users` with a placeholder for each user whom the viewer cannot see. A user always has the same placeholder
 * object.
 */
export function withUnknown(users: readonly User[], isSeen: (user: User) => boolean, host: string): User[] {
  return users.map((user) => {
    if (isSeen(user)) return user
    const known = unknown.get(user) ?? unknownUser(user.id, host)
    unknown.set(user, known)
    return known
  })
}

/**
 * The JSON of users as this viewer sees them; shared by all viewers with the same role, except for the viewer's own
 * address.
 */
export function usersJson(options: WireUserOptions): {
  list(users: readonly User[], pauses: Pauses): Promise<EncodedJson>
} {
  const json = formOf(options)
  const { viewer } = options
  return {
    list(users, pauses) {
      const own = users.find(({ id }) => id === viewer.id)
      // Viewers see their own address even if their role would not see it.
      const isHidden = own !== undefined && !isShownTo(viewer.role, own.emailVisibility)
      const instead = isHidden ? { item: own, text: JSON.stringify(toWireUser(own, options)) } : undefined
      return json.list(users, pauses, { instead })
    },
  }
}

/**
 * Returns the JSON of others as a viewer with this role sees it. A user has few forms, so JSON is not cached for each
 * role.
 */
function formOf({ viewer: { role }, clientGravatar, includeProfileFields = true }: WireUserOptions): ItemJson<User> {
  return kept(`${role} ${clientGravatar} ${includeProfileFields}`, () => {
    const options = { viewer: { id: SOMEBODY_ELSE, role: ROLE.guest }, clientGravatar, includeProfileFields }
    const form = (name: string, toWire: (user: User) => object) =>
      kept(`${name} ${includeProfileFields}`, () => new ItemJson(toWire))
    const open = form(`open ${clientGravatar}`, (user) => toWireUser(user, options))
    // The avatar that goes with a hidden address is sent to all clients.
    const hidden = form('hidden', (user) => toWireUser(user, options))
    const shown = form('shown', (user) => toWireUser(user, { ...options, viewer: user }))
    return ItemJson.choosing(({ emailVisibility: visibility }) => {
      if (visibility === SHOWN_TO_ALL) return open
      return isShownTo(role, visibility) ? shown : hidden
    })
  })
}

function kept(name: string, make: () => ItemJson<User>): ItemJson<User> {
  const json = made.get(name) ?? make()
  made.set(name, json)
  return json
}
