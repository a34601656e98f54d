import type { Pauses } from '../db/pauses.ts'
import type { EncodedJson } from '../domain/json-pieces.ts'
import { isShownTo, SHOWN_TO_ALL } from '../domain/users/email-visibility.ts'
import { ROLE } from '../domain/users/roles.ts'
import { unknownUser } from '../domain/users/unknown-user.ts'
import { toWireUser, type User, type WireUserOptions } from '../domain/users/user.ts'
import { ItemJson } from './item-json.ts'

/** Nobody has it: a user as somebody else with the same role sees them. */
const SOMEBODY_ELSE = 0 as User['id']

const made = new Map<string, ItemJson<User>>()

/** What is made of accounts is kept with them, and so is what stands for them. */
const unknown = new WeakMap<User, User>()

/** `users` with an entry that says nothing, and is always the same, in place of each whom the viewer does not see. */
export function withUnknown(users: readonly User[], isSeen: (user: User) => boolean, host: string): User[] {
  return users.map((user) => {
    if (isSeen(user)) return user
    const known = unknown.get(user) ?? unknownUser(user.id, host)
    unknown.set(user, known)
    return known
  })
}

/** The JSON of users as this viewer sees them: shared by all with such a role, but for the viewer's own address. */
export function usersJson(options: WireUserOptions): {
  list(users: readonly User[], pauses: Pauses): Promise<EncodedJson>
} {
  const json = formOf(options)
  const { viewer } = options
  return {
    list(users, pauses) {
      const own = users.find(({ id }) => id === viewer.id)
      // An address that the viewer's role does not see is still the viewer's.
      const isHidden = own !== undefined && !isShownTo(viewer.role, own.emailVisibility)
      const instead = isHidden ? { item: own, text: JSON.stringify(toWireUser(own, options)) } : undefined
      return json.list(users, pauses, { instead })
    },
  }
}

/** As all with the viewer's role see others. Made of the few forms that one user has, so that no JSON is kept for each role. */
function formOf({ viewer: { role }, clientGravatar, includeProfileFields = true }: WireUserOptions): ItemJson<User> {
  return kept(`${role} ${clientGravatar} ${includeProfileFields}`, () => {
    const options = { viewer: { id: SOMEBODY_ELSE, role: ROLE.guest }, clientGravatar, includeProfileFields }
    const form = (name: string, toWire: (user: User) => object) =>
      kept(`${name} ${includeProfileFields}`, () => new ItemJson(toWire))
    const open = form(`open ${clientGravatar}`, (user) => toWireUser(user, options))
    // The picture that goes with a hidden address is told to all clients.
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
