import { Pauses } from '../../db/pauses.ts'
import type { UserId } from '../../domain/ids.ts'
import { toWireUser } from '../../domain/users/user.ts'
import type { Handler } from '../handler.ts'

/** GET /users: all accounts, deactivated ones too, or those asked for (level 384). */
export const getUsers: Handler<'get-users'> = async ({ input, actor, db, hasLeft }) => {
  const pauses = new Pauses({ worker: actor.id, hasLeft })
  const wanted = input.user_ids as UserId[] | undefined
  const users = wanted ? await db.read.users.byIds(wanted, pauses) : await db.read.users.all(pauses)
  const { client_gravatar: clientGravatar, include_custom_profile_fields: includeProfileFields } = input
  return { members: await pauses.map(users, (user) => toWireUser(user, { clientGravatar, includeProfileFields })) }
}
