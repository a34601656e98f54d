import type { Tx } from '../../db/repositories.ts'
import { ofArchived } from '../../domain/channels/channel-update.ts'
import { BadRequestError, UnauthorizedPrincipalError } from '../../domain/errors.ts'
import { ROLE } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import type { FoundLists } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { giveTo, refuseMoreBots } from '../bots/manage-bots.ts'
import { knowersOf } from '../channels/channel-audience.ts'
import { endInvitationsOf } from '../invitations/invite.ts'
import { announceSystemGroups } from '../user-groups/announce-system-groups.ts'
import { leaveGroups } from '../user-groups/leave-groups.ts'
import { isOnlyOwner, refuseTakenName } from './change-user.ts'
import { announceUser } from './user-visibility.ts'

/**
 * Deactivates an account, after its bots, and announces it. From the commit on its credentials are refused
 * (server/authenticate.ts and events/queues.ts follow the log), it receives no messages, and no group setting names it.
 * Does nothing to deactivated accounts.
 *
 * @throws {UnauthorizedPrincipalError} only owners may deactivate owners
 * @throws {BadRequestError} if it is the only owner
 */
export async function deactivateUser(tx: Tx, actor: Actor, user: User): Promise<void> {
  const ending = [...(await tx.users.botsOf(user.id)), user].filter((one) => one.isActive)
  if (ending.length === 0) return
  if (user.role === ROLE.owner && actor.role !== ROLE.owner) throw new UnauthorizedPrincipalError('owner')
  if (await isOnlyOwner(tx, user)) throw new BadRequestError('Cannot deactivate the only organization owner')
  for (const one of ending) {
    await tx.subscriptions.endSpansOf(one.id, await tx.events.lockedHead())
    await tx.queues.removeOf(one.id)
    await tx.users.update(one.id, { isActive: false })
    await announceActivity(tx, one, false)
    await leaveGroups(tx, one.id)
    await endInvitationsOf(tx, one.id)
    await announceToPeers(tx, one, 'peer_remove')
  }
}

/**
 * Reactivates an account with its former subscriptions. Its bots stay deactivated. A bot whose owner is deactivated
 * gets the actor as its owner, and a new key. Does nothing to active accounts.
 *
 * @throws {UnauthorizedPrincipalError} only owners may reactivate owners
 * @throws {BadRequestError} if names are unique (as names of bots are) and somebody else has the name by now, or a bot
 * would become the owner of a bot
 */
export async function reactivateUser(tx: Tx, actor: Actor, user: User, secrets: Secrets): Promise<void> {
  if (user.isActive) return
  if (user.role === ROLE.owner && actor.role !== ROLE.owner) throw new UnauthorizedPrincipalError('owner')
  await refuseTakenName(tx, user.fullName, user)
  await tx.subscriptions.beginSpansOf(user.id, await tx.events.lockedHead())
  await tx.users.update(user.id, { isActive: true })
  await announceActivity(tx, user, true)
  await adoptBot(tx, actor, { ...user, isActive: true }, secrets)
  await announceToPeers(tx, user, 'peer_add')
}

async function announceActivity(tx: Tx, user: User, isActive: boolean): Promise<void> {
  const person = { user_id: user.id, is_active: isActive }
  await announceUser(tx, user, { type: 'realm_user', op: 'update', person })
  await announceSystemGroups(tx, user, { ...user, isActive })
}

/** A deactivated owner must not act through a bot, so the bot gets an active owner who is responsible for it. */
async function adoptBot(tx: Tx, actor: Actor, bot: User, secrets: Secrets): Promise<void> {
  const owner = bot.botOwnerId === null ? undefined : await tx.users.byId(bot.botOwnerId)
  if (!bot.isBot || owner?.isActive) return
  if (actor.isBot) throw new BadRequestError('The owner of this bot is deactivated, and a bot cannot own another.')
  await refuseMoreBots(tx, actor.id)
  await giveTo(tx, bot, actor, secrets)
}

/** Tells those who see the lists of subscribers that a user joined or left the lists of all of the user's channels. */
async function announceToPeers(tx: Tx, { id }: User, op: 'peer_add' | 'peer_remove'): Promise<void> {
  const subscribedTo = (await tx.subscriptions.ofUser(id)).map((one) => one.channelId)
  const lists: FoundLists = new Map()
  for (const channel of await tx.channels.byIds(subscribedTo)) {
    tx.events.append(
      { type: 'subscription', op, stream_ids: [channel.id], user_ids: [id], ...ofArchived(channel) },
      await knowersOf(tx, channel, lists),
    )
  }
}
