import { accept, type Checked, refuse } from '../checked.ts'
import { isLongerThan } from '../text/code-points.ts'
import { invalidPosition } from '../text/names.ts'

const MAX_USER_GROUP_NAME_LENGTH = 100
export const MAX_USER_GROUP_DESCRIPTION_LENGTH = 1024

/** These would look like something else in a mention, or like a system group. */
const RESERVED = ['@', 'role:', 'user:', 'stream:', 'channel:']

/** Returns the name without surrounding white space. */
export function checkUserGroupName(raw: string): Checked<string> {
  const name = raw.trim()
  if (name === '') return refuse("User group name can't be empty!")
  if (isLongerThan(name, MAX_USER_GROUP_NAME_LENGTH)) {
    return refuse(`User group name cannot exceed ${MAX_USER_GROUP_NAME_LENGTH} characters.`)
  }
  const position = invalidPosition(name)
  if (position !== undefined) return refuse(`Invalid character in user group name, at position ${position}.`)
  const reserved = RESERVED.find((prefix) => name.startsWith(prefix))
  return reserved === undefined ? accept(name) : refuse(`User group name cannot start with '${reserved}'.`)
}
