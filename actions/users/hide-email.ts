import type { Tx } from '../../db/repositories.ts'
import { chunksOf } from '../../domain/chunks.ts'
import type { Audience } from '../../domain/events/audience.ts'
import {
  type EmailVisibility,
  isShownTo,
  rolesShown,
  SHOWN_TO_ALL,
  standInEmail,
} from '../../domain/users/email-visibility.ts'
import type { Role } from '../../domain/users/roles.ts'
import { apiEmail, type User } from '../../domain/users/user.ts'
import { announceAvatar } from './change-avatar.ts'
import { announceUser } from './user-visibility.ts'

/** Maximum number of addresses in one event of the log. */
const ADDRESSES_AN_EVENT = 200

/** Returns the fields of an account that follow from the visibility of its address. */
export function hiddenBy(
  { id }: Pick<User, 'id'>,
  emailVisibility: EmailVisibility,
  host: string,
): Pick<User, 'emailVisibility' | 'standInEmail'> {
  return { emailVisibility, standInEmail: emailVisibility === SHOWN_TO_ALL ? null : standInEmail(id, host) }
}

/**
 * Changes who sees a user's address. Tells everybody who is affected: first the address, then the API address and the
 * picture that belongs to it.
 *
 * @param host of the organization, for stand-in addresses
 */
export async function changeEmailVisibility(
  tx: Tx,
  user: User,
  visibility: EmailVisibility,
  host: string,
): Promise<void> {
  const hidden = hiddenBy(user, visibility, host)
  await tx.users.update(user.id, { hidden })
  const [before, after] = [rolesShown(user.emailVisibility), rolesShown(visibility)]
  const others = (roles: readonly Role[], than: readonly Role[]) => roles.filter((role) => !than.includes(role))
  await announceEmail(tx, user, user.email, others(after, before))
  await announceEmail(tx, user, null, others(before, after))
  const changed = { ...user, ...hidden }
  if (apiEmail(changed) !== apiEmail(user)) await announceApiEmail(tx, changed)
}

/** Announces the address, or null, to these roles, but not to its owner, who has always seen it. */
async function announceEmail(tx: Tx, user: User, email: string | null, roles: readonly Role[]): Promise<void> {
  if (roles.length === 0) return
  const { id } = user
  const person = { user_id: id, delivery_email: email }
  const audience: Audience = { to: 'difference', of: { to: 'roles', roles }, without: { to: 'users', userIds: [id] } }
  await announceUser(tx, user, { type: 'realm_user', op: 'update', person }, audience)
}

/** Announces a user's present API address, and the picture that belongs to it unless one was uploaded. */
export async function announceApiEmail(tx: Tx, user: User): Promise<void> {
  const person = { user_id: user.id, new_email: apiEmail(user) }
  await announceUser(tx, user, { type: 'realm_user', op: 'update', person })
  if (user.avatarKey === null) await announceAvatar(tx, user)
}

/** Audience of a change of this user's address: everybody who may see it. */
export function seeingEmail({ id, emailVisibility }: User): Audience {
  if (emailVisibility === SHOWN_TO_ALL) return { to: 'everyone' }
  const roles = rolesShown(emailVisibility)
  return {
    to: 'any',
    of: [
      { to: 'roles', roles },
      { to: 'users', userIds: [id] },
    ],
  }
}

/** Tells a user whose role becomes `role` which addresses are visible from now on, and which no longer are. */
export async function announceEmailsShown(tx: Tx, user: User, role: Role): Promise<void> {
  const people = (await tx.users.hidingEmail()).flatMap(({ id, email, emailVisibility }) => {
    const isShown = isShownTo(role, emailVisibility)
    if (id === user.id || isShown === isShownTo(user.role, emailVisibility)) return []
    return [{ user_id: id, delivery_email: isShown ? email : null }]
  })
  for (const some of chunksOf(people, ADDRESSES_AN_EVENT)) {
    const audience: Audience = { to: 'users', userIds: [user.id] }
    tx.events.append({ type: 'realm_user', op: 'addresses', people: some }, audience, some.length)
  }
}
