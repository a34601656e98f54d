import { changeRole, renameUser } from '../../actions/change-user.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { hostOf } from '../../domain/server-settings.ts'
import { accessUserByName } from '../../permissions/access-user.ts'
import { presentAdministrator } from '../../permissions/present-actor.ts'
import type { Handler } from '../handler.ts'

/** PATCH /users/{user_id} and PATCH /users/{email} (facts/operations.md). */
export const updateUser: Handler<'update-user'> = async ({ input, actor, db, clock, site, organization }) => {
  const { full_name: fullName, role } = input
  await db.transaction(async (tx) => {
    const administrator = await presentAdministrator(tx, actor)
    const user = await accessUserByName(tx, input.user_id_or_email, hostOf(site))
    if (fullName !== undefined) await renameUser(tx, user, fullName, organization)
    if (role !== undefined) await changeRole(tx, administrator, user, role, { organization, now: unixSeconds(clock) })
  })
  return {}
}
