import { toWireUser, type User, type WireUserOptions } from '../domain/users/user.ts'
import { ItemJson } from './item-json.ts'

const made = new Map<string, ItemJson<User>>()

/** The JSON of users in the form that these options choose, shared by all who choose them. */
export function usersJson({ clientGravatar, includeProfileFields = true }: WireUserOptions): ItemJson<User> {
  const form = `${clientGravatar} ${includeProfileFields}`
  let json = made.get(form)
  if (!json) {
    json = new ItemJson((user) => toWireUser(user, { clientGravatar, includeProfileFields }))
    made.set(form, json)
  }
  return json
}
