import type { UserId } from '../../domain/ids.ts'
import { toWireUser } from '../../domain/user.ts'
import type { Handler } from '../handler.ts'

/** GET /users: all accounts, deactivated ones too, or those asked for (level 384). */
export const getUsers: Handler<'get-users'> = async ({ input, db }) => {
  const users = input.user_ids ? await db.read.users.byIds(input.user_ids as UserId[]) : await db.read.users.all()
  const { client_gravatar: clientGravatar, include_custom_profile_fields: includeProfileFields } = input
  return { members: users.map((user) => toWireUser(user, { clientGravatar, includeProfileFields })) }
}
