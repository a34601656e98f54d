import { hostOf } from '../../domain/organization/server-settings.ts'
import { toWireUser } from '../../domain/users/user.ts'
import { accessUserByName } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** GET /users/{user_id} and GET /users/{email}. */
export const getUser: Handler<'get-user'> = async ({ input, actor, db, site }) => {
  const user = await accessUserByName(db.read, actor, input.user_id_or_email, hostOf(site))
  const { client_gravatar: clientGravatar, include_custom_profile_fields: includeProfileFields } = input
  return { user: toWireUser(user, { viewer: actor, clientGravatar, includeProfileFields }) }
}
