import { greet, preparedGreeting } from '../../actions/invitations/greet.ts'
import { refuseStrangeEmail } from '../../actions/organization/email-domains.ts'
import { subscribeUsers } from '../../actions/subscriptions/subscribe-users.ts'
import { refuseTakenName } from '../../actions/users/change-user.ts'
import { createUser as create } from '../../actions/users/create-user.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import { checkFullName } from '../../domain/text/names.ts'
import { checkEmail } from '../../domain/users/emails.ts'
import { ROLE } from '../../domain/users/roles.ts'
import type { Actor } from '../../permissions/actor.ts'
import { hashPassword, newApiKey } from '../../secrets/secrets.ts'
import type { Handler } from '../handler.ts'

/**
 * POST /users: creates an account (level 36), for administrators with that permission. It gets the default channels and
 * a greeting.
 */
export const createUser: Handler<'create-user'> = async (services) => {
  const { input, actor: caller, db, write, clock, secrets, site } = services
  refuseUnlessAuthorized(caller)
  const email = checkEmail(input.email)
  const fullName = checkFullName(input.full_name)
  const passwordHash = await hashPassword(input.password)
  const now = unixSeconds(clock)
  const greeting = await preparedGreeting(db.read, null, services)
  const user = await write(async (tx, actor) => {
    // Hashing a password takes a while, and the caller may have lost the permission meanwhile.
    refuseUnlessAuthorized(actor)
    await refuseTakenName(tx, fullName, { isBot: false })
    await refuseStrangeEmail(tx, email)
    const account = {
      email,
      fullName,
      role: ROLE.member,
      isBot: false,
      botOwnerId: null,
      canCreateUsers: false,
      dateJoined: now,
      passwordHash,
      ...secrets.storedApiKey(newApiKey()),
    }
    const made = await create(tx, account, hostOf(site))
    await subscribeUsers(tx, await tx.channels.byIds(await tx.defaultChannels.ids()), [made])
    if (greeting) await greet(tx, made, actor, greeting)
    return made
  })
  return { user_id: user.id }
}

function refuseUnlessAuthorized({ canCreateUsers }: Actor): void {
  if (!canCreateUsers) throw new BadRequestError('User not authorized to create users')
}
