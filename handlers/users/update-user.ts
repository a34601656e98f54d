import { changeProfile } from '../../actions/users/change-profile.ts'
import { changeEmail, changeRole, renameUser } from '../../actions/users/change-user.ts'
import { BadRequestError, UnauthorizedPrincipalError } from '../../domain/errors.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import { checkEmail } from '../../domain/users/emails.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { refuseBotAbove } from '../../permissions/access-bot.ts'
import { accessUserByName } from '../../permissions/access-user.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { Handler } from '../handler.ts'

/** PATCH /users/{user_id} and PATCH /users/{email}. */
export const updateUser: Handler<'update-user'> = async ({ input, write, secrets, site }) => {
  const { full_name: fullName, role, new_email: email, profile_data: profile = [] } = input
  await write(async (tx, actor) => {
    const user = await accessUserByName(tx, actor, input.user_id_or_email, hostOf(site))
    if (user.isBot) refuseBotAbove(actor, user)
    if (email !== undefined && isOtherEmail(email, user.email)) {
      refuseUnlessAuthorized(actor)
      await changeEmail(tx, user, checkEmail(email), hostOf(site))
    }
    // A blank name is ignored only here (USER-UPD-17).
    if (fullName !== undefined && fullName.trim() !== '') await renameUser(tx, user, fullName)
    // An administrator's empty value removes the stored one.
    const updates = profile.map(({ id, value }) => ({ id, value: value?.length === 0 ? null : value }))
    if (updates.length > 0) await changeProfile(tx, actor, user, updates)
    if (role !== undefined) await changeRole(tx, { actor, user, role }, secrets)
  })
  return {}
}

/**
 * Checks the permission to change addresses. Without this check, an owner without the permission could take over
 * accounts (USER-UPD-9 to USER-UPD-11).
 */
function refuseUnlessAuthorized({ role, canChangeUserEmails }: Actor): void {
  if (role !== ROLE.owner) throw new UnauthorizedPrincipalError('owner')
  if (!canChangeUserEmails) throw new BadRequestError('User not authorized to change user emails')
}

function isOtherEmail(wanted: string, present: string): boolean {
  return wanted.trim() !== '' && wanted.trim() !== present
}
