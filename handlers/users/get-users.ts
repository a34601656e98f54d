import type { UserId } from '../../domain/ids.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import { visibilityFor } from '../../permissions/visible-users.ts'
import { usersJson, withUnknown } from '../../views/users-json.ts'
import type { Handler } from '../handler.ts'

/**
 * GET /users: all accounts, including deactivated ones, or the requested ones (level 384). Users who are not visible
 * have only an ID.
 */
export const getUsers: Handler<'get-users'> = async ({ input, actor, db, site, pauses }) => {
  const wanted = input.user_ids as UserId[] | undefined
  const found = wanted ? await db.read.users.byIds(wanted, pauses) : await db.read.shared.users(pauses)
  const isSeen = await visibilityFor(db.read, actor, pauses)
  const users = isSeen ? withUnknown(found, isSeen, hostOf(site)) : found
  const { client_gravatar: clientGravatar, include_custom_profile_fields: includeProfileFields } = input
  const json = usersJson({ viewer: actor, clientGravatar, includeProfileFields })
  return { members: (await json.list(users, pauses)).as() }
}
