import { changeRole, renameUser } from '../../actions/change-user.ts'
import { UnsupportedParameterError } from '../../domain/errors.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import { accessUserByName } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** PATCH /users/{user_id} and PATCH /users/{email}. */
export const updateUser: Handler<'update-user'> = async ({ input, write, site }) => {
  const { full_name: fullName, role, new_email: email } = input
  await write(async (tx, actor) => {
    const user = await accessUserByName(tx, input.user_id_or_email, hostOf(site))
    if (email !== undefined && isOtherEmail(email, user.email)) throw new UnsupportedParameterError('new_email')
    // Here alone a blank name is passed over (USER-UPD-17).
    if (fullName !== undefined && fullName.trim() !== '') await renameUser(tx, user, fullName)
    if (role !== undefined) await changeRole(tx, actor, user, role)
  })
  return {}
}

function isOtherEmail(wanted: string, present: string): boolean {
  return wanted.trim() !== '' && wanted.trim() !== present
}
