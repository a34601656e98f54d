import type { Tx } from '../../db/repositories.ts'
import { BadRequestError, UnauthorizedPrincipalError } from '../../domain/errors.ts'
import { profileOf } from '../../domain/profiles/profile-fields.ts'
import { deletedEmail } from '../../domain/users/email-visibility.ts'
import { ROLE } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import type { Input } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'
import { mayDeleteAny } from '../../permissions/message-rules.ts'
import { changeStatus } from '../statuses.ts'
import { changeAvatar } from './change-avatar.ts'
import { changeProfile } from './change-profile.ts'
import { giveEmail, giveName } from './change-user.ts'

type Wanted = NonNullable<Input<'deactivate-user'>['actions']>

/**
 * Deletes parts of a deactivated account as the actor asks: its profile now, its messages by a job
 * (`jobs/message-removals.ts`), because there may be many.
 *
 * @param host of the organization, for the remaining address
 * @throws {UnauthorizedPrincipalError} only owners may do this to owners
 * @throws {BadRequestError} if the actor may not delete messages of others
 */
export async function forgetUser(tx: Tx, actor: Actor, user: User, wanted: Wanted, host: string): Promise<void> {
  if (user.role === ROLE.owner && actor.role !== ROLE.owner) throw new UnauthorizedPrincipalError('owner')
  const kinds = {
    ofPublicChannels: wanted.delete_public_channel_messages === true,
    ofPrivateChannels: wanted.delete_private_channel_messages === true,
    ofConversations: wanted.delete_direct_messages === true,
  }
  if (Object.values(kinds).includes(true)) {
    if (!mayDeleteAny(actor, undefined, tx.organization)) throw new BadRequestError('Insufficient permission')
    const { messageId: throughId } = await tx.events.lockedHead()
    await tx.messageRemovals.insert({ userId: user.id, throughId, ...kinds })
  }
  if (wanted.delete_profile) await forgetProfile(tx, actor, user, host)
}

async function forgetProfile(tx: Tx, actor: Actor, user: User, host: string): Promise<void> {
  await giveName(tx, user, `Deleted user ${user.id}`)
  if (user.avatarKey !== null) await changeAvatar(tx, user, undefined)
  await giveEmail(tx, (await tx.users.byId(user.id)) ?? user, await emailToLeave(tx, user, host))
  const said = profileOf(user)
  const fields = (await tx.customProfileFields.all()).filter(({ id }) => said[id] !== undefined)
  await changeProfile(
    tx,
    actor,
    user,
    fields.map(({ id }) => ({ id, value: null })),
  )
  if (!user.isBot) await changeStatus(tx, user, { status_text: '', emoji_name: '', away: false })
}

/** Somebody may have got the address before such addresses were reserved. */
async function emailToLeave(tx: Tx, { id }: User, host: string): Promise<string> {
  for (let nth = 1; ; nth += 1) {
    const email = deletedEmail(id, nth, host)
    const [other] = await tx.users.byEmails([email])
    if (!other || other.id === id) return email
  }
}
