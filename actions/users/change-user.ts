import type { Readers, Tx } from '../../db/repositories.ts'
import { BadRequestError, UnauthorizedPrincipalError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { checkFullName } from '../../domain/text/names.ts'
import { isReservedEmail, SHOWN_TO_ALL } from '../../domain/users/email-visibility.ts'
import { hasRole, isGuest, ROLE, type Role } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { announceBotsShown } from '../bots/announce-bots-shown.ts'
import { announceChannelsShown } from '../channels/announce-channels-shown.ts'
import { announceDefaultChannelsShown } from '../channels/default-channels.ts'
import { endInvitationsTo } from '../invitations/invite.ts'
import { refuseStrangeEmail } from '../organization/email-domains.ts'
import { announceSystemGroups } from '../user-groups/announce-system-groups.ts'
import { announceApiEmail, announceEmailsShown, seeingEmail } from './hide-email.ts'
import { replaceKey } from './replace-key.ts'
import {
  announceUser,
  announceUsersHidden,
  announceUsersShown,
  guestsNotSeeing,
  withoutGuests,
} from './user-visibility.ts'

/**
 * Renames a user, and announces it. Does nothing if the name is unchanged (USER-UPD-17).
 *
 * @throws {BadRequestError} for an invalid name (USER-UPD-15), or a taken one if names are unique
 */
export async function renameUser(tx: Tx, user: User, name: string): Promise<void> {
  if (name.trim() === user.fullName) return
  const fullName = checkFullName(name)
  await refuseTakenName(tx, fullName, user)
  await giveName(tx, user, fullName)
}

/** Same as above, but does not check whether the name is taken. */
export async function giveName(tx: Tx, user: User, fullName: string): Promise<void> {
  await tx.users.update(user.id, { fullName })
  await announceUser(tx, user, { type: 'realm_user', op: 'update', person: { user_id: user.id, full_name: fullName } })
}

/**
 * @param account the account to be named; without an ID if it is about to be created
 * @throws {BadRequestError} if names are unique and another active account has this one (level 246), and always if two
 * bots would have the same name, because users cannot tell bots apart otherwise
 */
export async function refuseTakenName(
  read: Readers,
  fullName: string,
  { id, isBot }: { readonly id?: UserId; readonly isBot: boolean },
): Promise<void> {
  const { require_unique_names: areUnique } = read.organization.settings
  if (areUnique && (await read.users.isNameTaken(fullName, { except: id }))) {
    throw new BadRequestError('Unique names required in this organization.')
  }
  if (isBot && (await read.users.isNameTaken(fullName, { except: id, ofBots: true }))) {
    throw new BadRequestError('Name is already in use!')
  }
}

/**
 * Changes a user's address, and tells those who may see it. A picture that was not uploaded belongs to the visible
 * address, so it changes too, and gets a new version (EV-REALMUSER-9).
 *
 * @param host of the organization, for reserved addresses
 * @throws {BadRequestError} if the address is taken, reserved, or not accepted by the organization
 */
export async function changeEmail(tx: Tx, user: User, email: string, host: string): Promise<void> {
  // Bots have addresses of this server, regardless of the domains that the organization accepts.
  if (!user.isBot) await refuseStrangeEmail(tx, email)
  if (isReservedEmail(email, host)) throw new BadRequestError('Email is already in use.')
  await giveEmail(tx, user, email)
}

/** Same as above, but accepts every address, reserved ones too. @throws {BadRequestError} if it is taken */
export async function giveEmail(tx: Tx, user: User, email: string): Promise<void> {
  const isShown = user.emailVisibility === SHOWN_TO_ALL
  const avatarVersion = user.avatarVersion + (isShown && user.avatarKey === null ? 1 : 0)
  const changed = { ...user, email, avatarVersion }
  const isChanged = await tx.users.update(user.id, { email, avatar: { avatarKey: user.avatarKey, avatarVersion } })
  if (!isChanged) throw new BadRequestError('Email is already in use.')
  const person = { user_id: user.id, delivery_email: email }
  await announceUser(tx, user, { type: 'realm_user', op: 'update', person }, seeingEmail(user))
  if (isShown) await announceApiEmail(tx, changed)
  await endInvitationsTo(tx, email)
}

/**
 * Changes a user's role. What the user may see follows the role from this position of the log on, and the user is told
 * which channels appear and disappear. Does nothing if the role is unchanged (USER-UPD-17). A bot that gets a higher
 * role also gets a new key, so that people who know the former one do not get the new role with it.
 *
 * @throws {UnauthorizedPrincipalError} only owners may make and unmake owners (USER-UPD-5, USER-UPD-6)
 * @throws {BadRequestError} for the only owner (USER-UPD-7), for a guest who would become an administrator
 * (USER-UPD-13), and for a bot that would have a higher role than its owner
 */
export async function changeRole(
  tx: Tx,
  { actor, user, role }: { readonly actor: Actor; readonly user: User; readonly role: Role },
  secrets: Secrets,
): Promise<void> {
  if (role === user.role) return
  const isAboutOwners = role === ROLE.owner || user.role === ROLE.owner
  if (isAboutOwners && actor.role !== ROLE.owner) throw new UnauthorizedPrincipalError('owner')
  if (user.role === ROLE.owner && (await isOnlyOwner(tx, user))) {
    throw new BadRequestError('The owner permission cannot be removed from the only organization owner.')
  }
  if (isGuest(user.role) && hasRole(role, 'administrator')) {
    throw new BadRequestError('Guests cannot be organization administrators')
  }
  await giveRole(tx, user, role, secrets)
}

/**
 * Same as above, without the permission check. Does nothing if the role is unchanged.
 *
 * @throws {BadRequestError} if a bot would have a higher role than its owner
 */
export async function giveRole(tx: Tx, user: User, role: Role, secrets: Secrets): Promise<void> {
  await refuseAboveOwner(tx, user, role)
  await setRole(tx, user, role)
  if (user.isBot && role < user.role) await replaceKey(tx, user, secrets)
}

/** @throws {BadRequestError} if a bot would have a higher role than its owner, who acts through it */
async function refuseAboveOwner(tx: Tx, { botOwnerId }: User, role: Role): Promise<void> {
  const owner = botOwnerId === null ? undefined : await tx.users.byId(botOwnerId)
  if (owner && role < owner.role) throw new BadRequestError('A bot cannot have a higher role than its owner.')
}

/**
 * Sets a role that the caller has checked against the bot's owner, and announces it. The user's bots, deactivated ones
 * too, are lowered to the same role, and keep it if their owner rises again.
 */
export async function setRole(tx: Tx, user: User, role: Role): Promise<void> {
  if (role === user.role) return
  const blind = await guestsNotSeeing(tx, user)
  await tx.users.insertRoleChange(user.id, user.role, (await tx.events.lockedHead()).eventId)
  await tx.users.update(user.id, { role })
  const audience = withoutGuests({ to: 'everyone' }, blind)
  tx.events.append({ type: 'realm_user', op: 'update', person: { user_id: user.id, role } }, audience)
  // A client that registers later gets the state after this change, so only users with an event queue are told. Most
  // bots have none.
  const isListening = await tx.queues.isAnyOf(user.id)
  if (isListening) await announceUsersShown(tx, user, role)
  await announceSystemGroups(tx, user, { ...user, role })
  if (isListening) {
    await announceChannelsShown(tx, user, role)
    await announceBotsShown(tx, user, role)
    await announceEmailsShown(tx, user, role)
    await announceDefaultChannelsShown(tx, user, role)
    await announceUsersHidden(tx, user, role)
  }
  for (const bot of await tx.users.botsOf(user.id)) if (bot.role < role) await setRole(tx, bot, role)
}

/** Returns whether the organization would have no owner without this account. Bots cannot be owners. */
export async function isOnlyOwner(tx: Tx, user: User): Promise<boolean> {
  if (user.isBot || !user.isActive || user.role !== ROLE.owner) return false
  return (await tx.users.activeOwnerIds()).every((id) => id === user.id)
}
