import type { NewUser } from '../../db/repositories/users.ts'
import type { Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { isReservedEmail, SHOWN_TO_ALL } from '../../domain/users/email-visibility.ts'
import { toWireUser, type User } from '../../domain/users/user.ts'
import { userSettings } from '../../domain/users/user-settings.ts'
import { endInvitationsTo } from '../invitations/invite.ts'
import { announceSystemGroups } from '../user-groups/announce-system-groups.ts'
import { hiddenBy } from './hide-email.ts'
import { guestsNotSeeing } from './user-visibility.ts'

/**
 * Creates an account with the organization's language and its other settings for new accounts, and announces it. Bots
 * have addresses of this server, which are never hidden. Invitations of the address end.
 *
 * @param host of the organization, for stand-in addresses
 * @throws {BadRequestError} if the address is taken or reserved
 */
export async function createUser(tx: Tx, newUser: NewUser, host: string): Promise<User> {
  const inserted = isReservedEmail(newUser.email, host) ? undefined : await tx.users.insert(newUser)
  if (!inserted) throw new BadRequestError('Email is already in use.')
  const { default_language } = tx.organization.settings
  const isOther = default_language !== userSettings({}).default_language
  const { email_address_visibility: visibility = SHOWN_TO_ALL, ...chosen } = await tx.organizations.newAccountSettings()
  const settings = { ...chosen, ...(isOther && { default_language }) }
  if (Object.keys(settings).length > 0) await tx.users.updateSettings(inserted.id, settings)
  const hidden = hiddenBy(inserted, newUser.isBot ? SHOWN_TO_ALL : visibility, host)
  const user = { ...inserted, ...hidden }
  if (user.standInEmail !== null) await tx.users.update(user.id, { hidden })
  const { emailVisibility } = hidden
  const unseenBy = await guestsNotSeeing(tx, user)
  tx.events.append(
    {
      type: 'realm_user',
      op: 'add',
      person: toWireUser(user, { viewer: user, clientGravatar: false }),
      ...(emailVisibility !== SHOWN_TO_ALL && { emailVisibility }),
      ...(unseenBy.length > 0 && { unseenBy }),
    },
    { to: 'everyone' },
  )
  await announceSystemGroups(tx, undefined, user)
  await endInvitationsTo(tx, user.email)
  return user
}
