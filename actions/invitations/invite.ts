import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { BadRequestError, UnauthorizedPrincipalError } from '../../domain/errors.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { expiryOf, INVITATION_KEY_LENGTH, type Invitation, type InvitationTerms } from '../../domain/invitations.ts'
import { MAX_INVITATIONS } from '../../domain/limits.ts'
import { ORGANIZATION_GROUP_SETTINGS } from '../../domain/user-groups/group-settings.ts'
import { hasRole } from '../../domain/users/roles.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { Input } from '../../generated/operations.ts'
import { ChannelRights } from '../../permissions/access-channel.ts'
import { refuseToGive } from '../../permissions/access-invitation.ts'
import type { Actor } from '../../permissions/actor.ts'
import { accessGroupToChange } from '../../permissions/manage-group.ts'
import { newKey, type Secrets } from '../../secrets/secrets.ts'

/** The parts of a request that describe an invitation. */
type Wanted = Pick<
  Input<'create-invitation-link'>,
  | 'stream_ids'
  | 'group_ids'
  | 'invite_as'
  | 'invite_expires_in_minutes'
  | 'include_realm_default_subscriptions'
  | 'notify_referrer_on_join'
  | 'welcome_message_custom_text'
>

/**
 * Returns the terms of an invitation that `actor` may make.
 *
 * @param setting the permission that this kind of invitation needs
 * @throws {BadRequestError} {UnauthorizedPrincipalError} with the reason
 */
export async function invitationTerms(
  tx: Tx,
  actor: Actor,
  setting: 'can_invite_users_group' | 'create_multiuse_invite_group',
  wanted: Wanted,
): Promise<InvitationTerms> {
  const { organization } = tx
  if (!organization.may(ORGANIZATION_GROUP_SETTINGS[setting], organization.settings[setting], actor)) {
    throw new BadRequestError('Insufficient permission')
  }
  refuseToGive(actor, wanted.invite_as)
  const welcomeText = wanted.welcome_message_custom_text?.trim() ?? null
  if (welcomeText !== null && !hasRole(actor.role, 'administrator')) throw new UnauthorizedPrincipalError()
  const channelIds = [...new Set(wanted.stream_ids as ChannelId[])]
  const groupIds = [...new Set(wanted.group_ids)]
  const { open, closed } = await channelsToGive(tx, actor, channelIds)
  const unknown = channelIds.find((id) => ![...open, ...closed].some((channel) => channel.id === id))
  if (unknown !== undefined) throw new BadRequestError(`Invalid channel ID ${unknown}. No invites were sent.`)
  if (closed.length > 0) throw new BadRequestError('You do not have permission to subscribe other users to channels.')
  for (const id of groupIds) {
    if (!(await mayGiveGroup(tx, actor, id))) throw new BadRequestError('Insufficient permission')
  }
  return {
    role: wanted.invite_as,
    minutes: wanted.invite_expires_in_minutes,
    channelIds,
    groupIds,
    includesDefaults: wanted.include_realm_default_subscriptions,
    notifiesInviter: wanted.notify_referrer_on_join,
    welcomeText,
  }
}

/**
 * Splits the channels into the ones to which `actor` may subscribe new users, and the ones that `actor` may only read.
 */
export async function channelsToGive(
  tx: Tx,
  actor: Actor,
  ids: readonly ChannelId[],
): Promise<{ readonly open: Channel[]; readonly closed: Channel[] }> {
  const [open, closed]: [Channel[], Channel[]] = [[], []]
  if (ids.length === 0) return { open, closed }
  const defaults = new Set(await tx.defaultChannels.ids())
  const own = new Set((await tx.subscriptions.ofUser(actor.id)).map(({ channelId }) => channelId))
  for (const channel of await tx.channels.byIds(ids)) {
    const rights = new ChannelRights(actor, channel, own.has(channel.id), tx.organization)
    if (channel.isArchived || !rights.mayRead) continue
    const list = rights.mayAddOthers || defaults.has(channel.id) ? open : closed
    list.push(channel)
  }
  return { open, closed }
}

/**
 * Returns whether `actor` may add others to the group. @throws {BadRequestError} if it does not exist or is a system
 * group
 */
export async function mayGiveGroup(tx: Tx, actor: Actor, id: number): Promise<boolean> {
  const { group, rights } = await accessGroupToChange(tx, actor, id)
  if (group.isDeactivated) throw new BadRequestError('Invalid user group')
  return rights.has('can_add_members_group')
}

/**
 * Creates an invitation for each address, or a reusable one for null, and tells those who manage them.
 *
 * @returns their keys
 * @throws {BadRequestError} if the account has too many
 */
export async function makeInvitations(
  tx: Tx,
  actor: Actor,
  terms: InvitationTerms,
  emails: readonly (string | null)[],
  secrets: Secrets,
): Promise<string[]> {
  const { now } = tx.organization
  await tx.invitations.deleteEnded(now)
  if ((await tx.invitations.countOpen(now, actor.id)) + emails.length > MAX_INVITATIONS) {
    throw new BadRequestError(`An account has at most ${MAX_INVITATIONS} open invitations.`)
  }
  const made = { ...terms, invitedBy: actor.id, invitedAt: now, expiresAt: expiryOf(now, terms.minutes) }
  const invited = await new Pauses().map(emails, (email) => {
    const key = newKey(INVITATION_KEY_LENGTH)
    return { email, key, keyHash: secrets.hashApiKey(key), keyEncrypted: secrets.encrypt(key) }
  })
  await tx.invitations.insert(made, invited)
  await announceInvitesChanged(tx, [actor.id])
  return invited.map(({ key }) => key)
}

/** Tells administrators and the inviters. */
async function announceInvitesChanged(tx: Tx, inviters: readonly UserId[]): Promise<void> {
  const userIds = [...new Set([...inviters, ...(await tx.users.administratorIds())])]
  tx.events.append({ type: 'invites_changed' }, { to: 'users', userIds })
}

/** Revokes an invitation, and tells those who manage it. For a while a link still answers that it was revoked. */
export async function endInvitation(tx: Tx, { id, email, invitedBy }: Invitation): Promise<void> {
  if (email === null) await tx.invitations.revoke(id, tx.organization.now)
  else await tx.invitations.delete(id)
  await announceInvitesChanged(tx, [invitedBy])
}

/** Ends the invitations of an address, because an account has it now. */
export async function endInvitationsTo(tx: Tx, email: string): Promise<void> {
  const inviters = await tx.invitations.deleteOfEmail(email)
  if (inviters.length > 0) await announceInvitesChanged(tx, inviters)
}

/** Ends the invitations of a deactivated account, because nobody is responsible for them any more. */
export async function endInvitationsOf(tx: Tx, userId: UserId): Promise<void> {
  if (await tx.invitations.deleteOf(userId)) await announceInvitesChanged(tx, [])
}
