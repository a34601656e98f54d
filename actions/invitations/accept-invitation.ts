import type { NewUser } from '../../db/repositories/users.ts'
import type { Readers, Tx } from '../../db/repositories.ts'
import { BadRequestError, NoSuchItemError } from '../../domain/errors.ts'
import { type Invitation, isOpen, mayGive } from '../../domain/invitations.ts'
import { silentMention } from '../../domain/messages/quoted-message.ts'
import { emailKey } from '../../domain/text/text-keys.ts'
import type { User } from '../../domain/users/user.ts'
import type { AlertWords } from '../../events/alert-words.ts'
import { type Actor, asActor } from '../../permissions/actor.ts'
import { noticeOf } from '../messages/notice-of.ts'
import { sendDirectNotice } from '../messages/send-message.ts'
import { refuseStrangeEmail } from '../organization/email-domains.ts'
import { subscribeUsers } from '../subscriptions/subscribe-users.ts'
import { changeGroupMembers } from '../user-groups/change-group-members.ts'
import { refuseTakenName } from '../users/change-user.ts'
import { createUser } from '../users/create-user.ts'
import { type Greeting, greet } from './greet.ts'
import { channelsToGive, mayGiveGroup } from './invite.ts'

/** An invitation that can still be accepted, and its inviter. */
export interface OpenInvitation {
  readonly invitation: Invitation
  readonly inviter: User
}

/**
 * Returns undefined if no invitation has the key, it has ended, its inviter may no longer give its role, or the
 * organization is deactivated.
 */
export async function findOpenInvitation(
  read: Pick<Readers, 'invitations' | 'users' | 'organization'>,
  keyHash: string,
): Promise<OpenInvitation | undefined> {
  if (read.organization.isDeactivated) return undefined
  const invitation = await read.invitations.byKey(keyHash)
  if (!invitation || !isOpen(invitation, read.organization.now)) return undefined
  const inviter = await read.users.byId(invitation.invitedBy)
  return inviter && mayGive(inviter, invitation.role) ? { invitation, inviter } : undefined
}

/** @throws {NoSuchItemError} if the invitation cannot be accepted */
export async function accessOpenInvitation(
  read: Pick<Readers, 'invitations' | 'users' | 'organization'>,
  keyHash: string,
): Promise<OpenInvitation> {
  const found = await findOpenInvitation(read, keyHash)
  if (!found) throw new NoSuchItemError('This invitation has ended, or there never was one.')
  return found
}

/**
 * Returns the address of the new account. @throws {BadRequestError} if there is none, or another address was invited
 */
export function acceptedEmail({ email: invited }: Invitation, given: string | undefined): string {
  if (given === undefined || given.trim() === '') {
    if (invited !== null) return invited
    throw new BadRequestError('This invitation is for everybody who has its link: say which e-mail address is yours.')
  }
  if (invited !== null && emailKey(given.trim()) !== emailKey(invited)) {
    throw new BadRequestError('This invitation is for another e-mail address.')
  }
  return invited ?? given
}

interface Surroundings {
  /** Host of the organization, for stand-in addresses. */
  readonly host: string
  readonly alertWords: AlertWords
  /** Rendered before the transaction, from the text of the invitation or of the organization. */
  readonly greeting: Greeting | undefined
}

type Newcomer = Pick<NewUser, 'email' | 'fullName' | 'dateJoined' | 'passwordHash' | 'apiKeyHash' | 'apiKeyEncrypted'>

/**
 * Creates the account that accepts the invitation, with everything that the inviter may give at this moment, and
 * announces it.
 *
 * @throws {BadRequestError} if the address or the name is not available
 */
export async function acceptInvitation(
  tx: Tx,
  { invitation, inviter }: OpenInvitation,
  newcomer: Newcomer,
  { host, alertWords, greeting }: Surroundings,
): Promise<User> {
  await refuseTakenName(tx, newcomer.fullName, { isBot: false })
  await refuseStrangeEmail(tx, newcomer.email)
  const { role } = invitation
  const made = await createUser(tx, { ...newcomer, role, isBot: false, botOwnerId: null, canCreateUsers: false }, host)
  const actor = asActor(inviter)
  await joinInvitedChannels(tx, actor, invitation, made)
  for (const id of invitation.groupIds) await joinInvitedGroup(tx, actor, id, made)
  if (invitation.notifiesInviter) {
    const content = `${silentMention(made)} accepted your invitation.`
    await sendDirectNotice(tx, { to: inviter, ...noticeOf(content, made, [], alertWords) })
  }
  if (greeting) await greet(tx, made, actor, greeting)
  return made
}

async function joinInvitedChannels(tx: Tx, actor: Actor, invitation: Invitation, made: User): Promise<void> {
  const { open } = await channelsToGive(tx, actor, invitation.channelIds)
  const ids = new Set([
    ...open.map(({ id }) => id),
    ...(invitation.includesDefaults ? await tx.defaultChannels.ids() : []),
  ])
  await subscribeUsers(tx, await tx.channels.byIds([...ids]), [made])
}

/** The new user still joins if a group is full, deactivated, or no longer open to the inviter. */
async function joinInvitedGroup(tx: Tx, actor: Actor, id: number, made: User): Promise<void> {
  try {
    if (!(await mayGiveGroup(tx, actor, id))) return
    await changeGroupMembers(tx, actor, id, { add: [made.id], remove: [], addSubgroups: [], removeSubgroups: [] })
  } catch (err) {
    // `changeGroupMembers` refuses before it writes.
    if (!(err instanceof BadRequestError)) throw err
  }
}
