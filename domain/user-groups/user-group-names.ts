import { BadRequestError } from '../errors.ts'
import { isLongerThan } from '../text/code-points.ts'
import { invalidPosition } from '../text/names.ts'

const MAX_USER_GROUP_NAME_LENGTH = 100
export const MAX_USER_GROUP_DESCRIPTION_LENGTH = 1024

/** These would look like something else in a mention, or like a system group. */
const RESERVED = ['@', 'role:', 'user:', 'stream:', 'channel:']

/** Returns the name without surrounding white space. @throws {BadRequestError} */
export function checkUserGroupName(raw: string): string {
  const name = raw.trim()
  if (name === '') throw new BadRequestError("User group name can't be empty!")
  if (isLongerThan(name, MAX_USER_GROUP_NAME_LENGTH)) {
    throw new BadRequestError(`User group name cannot exceed ${MAX_USER_GROUP_NAME_LENGTH} characters.`)
  }
  const position = invalidPosition(name)
  if (position !== undefined)
    throw new BadRequestError(`Invalid character in user group name, at position ${position}.`)
  const reserved = RESERVED.find((prefix) => name.startsWith(prefix))
  if (reserved !== undefined) throw new BadRequestError(`User group name cannot start with '${reserved}'.`)
  return name
}
