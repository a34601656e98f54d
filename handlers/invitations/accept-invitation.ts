import {
  acceptInvitation as accept,
  acceptedEmail,
  accessOpenInvitation,
} from '../../actions/invitations/accept-invitation.ts'
import { preparedGreeting } from '../../actions/invitations/greet.ts'
import { textRenderer } from '../../actions/messages/render-content.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import { checkFullName } from '../../domain/text/names.ts'
import { checkEmail } from '../../domain/users/emails.ts'
import { asActor } from '../../permissions/actor.ts'
import { refuseWhileDeactivated } from '../../permissions/write.ts'
import { hashPassword, newApiKey } from '../../secrets/secrets.ts'
import type { Handler } from '../handler.ts'

/** POST /join: sent by the page of an invitation. */
export const acceptInvitation: Handler<'accept-invitation'> = async (context) => {
  const { input, db, begin, renderingOf, clock, secrets, site, alertWords } = context
  refuseWhileDeactivated(db.read)
  const keyHash = secrets.hashApiKey(input.invite_key)
  // Checked before the password is hashed, because only invited users may cause that work.
  const { invitation, inviter } = await accessOpenInvitation(db.read, keyHash)
  const email = checkEmail(acceptedEmail(invitation, input.email))
  const fullName = checkFullName(input.full_name)
  const newcomer = {
    email,
    fullName,
    passwordHash: await hashPassword(input.password),
    ...secrets.storedApiKey(newApiKey()),
  }
  const renderer = textRenderer(context, asActor(inviter), renderingOf(inviter.id))
  const greeting = await preparedGreeting(db.read, invitation.welcomeText, renderer)
  const user = await begin(async (tx) => {
    const open = await accessOpenInvitation(tx, keyHash)
    return accept(
      tx,
      open,
      { ...newcomer, dateJoined: unixSeconds(clock) },
      { host: hostOf(site), alertWords, greeting },
    )
  })
  return { user_id: user.id, email }
}
