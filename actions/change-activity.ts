import type { Tx } from '../db/database.ts'
import { BadRequestError, UnauthorizedPrincipalError } from '../domain/errors.ts'
import { ROLE } from '../domain/roles.ts'
import type { User } from '../domain/user.ts'
import type { PermissionContext } from '../permissions/access-channel.ts'
import type { Actor } from '../permissions/actor.ts'
import { isOnlyOwner } from './change-user.ts'
import { knowersOf } from './channel-audience.ts'
import { tellSystemGroups } from './tell-system-groups.ts'

/**
 * Deactivates an account, and tells everybody. From the commit on its credentials are refused (server/authenticate.ts
 * and events/queues.ts follow the log), and it is no subscriber of anything. No change for one that is deactivated.
 * @throws {UnauthorizedPrincipalError} only owners deactivate owners
 * @throws {BadRequestError} for the only owner
 */
export async function deactivateUser(tx: Tx, actor: Actor, user: User, context: PermissionContext): Promise<void> {
  if (!user.isActive) return
  if (user.role === ROLE.owner && actor.role !== ROLE.owner) throw new UnauthorizedPrincipalError('owner')
  if (await isOnlyOwner(tx, user)) throw new BadRequestError('Cannot deactivate the only organization owner')
  await tx.subscriptions.endSpansOf(user.id, await tx.events.lockedHead())
  await tx.queues.removeOf(user.id)
  await changeActivity(tx, user, false, context)
}

/** Makes a deactivated account one that is in use, with the subscriptions it had. No change for one that is. */
export async function reactivateUser(tx: Tx, actor: Actor, user: User, context: PermissionContext): Promise<void> {
  if (user.isActive) return
  if (user.role === ROLE.owner && actor.role !== ROLE.owner) throw new UnauthorizedPrincipalError('owner')
  await tx.subscriptions.beginSpansOf(user.id, await tx.events.lockedHead())
  await changeActivity(tx, user, true, context)
}

async function changeActivity(tx: Tx, user: User, isActive: boolean, context: PermissionContext): Promise<void> {
  await tx.users.update(user.id, { isActive })
  tx.events.append(
    { type: 'realm_user', op: 'update', person: { user_id: user.id, is_active: isActive } },
    { to: 'everyone' },
  )
  await tellSystemGroups(tx, user, { ...user, isActive }, context.now)
  const subscribedTo = new Set((await tx.subscriptions.ofUser(user.id)).map((one) => one.channelId))
  for (const channel of await tx.channels.all()) {
    if (!subscribedTo.has(channel.id)) continue
    const op = isActive ? 'peer_add' : 'peer_remove'
    tx.events.append(
      { type: 'subscription', op, stream_ids: [channel.id], user_ids: [user.id] },
      await knowersOf(tx, channel, context),
    )
  }
}
