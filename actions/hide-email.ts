import type { Tx } from '../db/repositories.ts'
import { chunksOf } from '../domain/chunks.ts'
import type { Audience } from '../domain/events/audience.ts'
import {
  type EmailVisibility,
  isShownTo,
  rolesShown,
  SHOWN_TO_ALL,
  standInEmail,
} from '../domain/users/email-visibility.ts'
import type { Role } from '../domain/users/roles.ts'
import { apiEmail, type User } from '../domain/users/user.ts'
import { tellAvatar } from './change-avatar.ts'
import { tellOfUser } from './tell-users-in-sight.ts'

/** Addresses in one event of the log. */
const TOGETHER = 200

/** What of an account says that its address is shown to these. */
export function hiddenBy(
  { id }: Pick<User, 'id'>,
  emailVisibility: EmailVisibility,
  host: string,
): Pick<User, 'emailVisibility' | 'standInEmail'> {
  return { emailVisibility, standInEmail: emailVisibility === SHOWN_TO_ALL ? null : standInEmail(id, host) }
}

/**
 * Lets others see somebody's address, and hides it from the rest. Those are told who see another one than before: first the address, then
 * under which the API knows the user, and the picture that goes with that.
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
  await tellEmail(tx, user, user.email, others(after, before))
  await tellEmail(tx, user, null, others(before, after))
  const changed = { ...user, ...hidden }
  if (apiEmail(changed) !== apiEmail(user)) await tellApiEmail(tx, changed)
}

/** Its owner has seen it all the time. */
async function tellEmail(tx: Tx, user: User, email: string | null, roles: readonly Role[]): Promise<void> {
  if (roles.length === 0) return
  const { id } = user
  const person = { user_id: id, delivery_email: email }
  const audience: Audience = { to: 'difference', of: { to: 'roles', roles }, without: { to: 'users', userIds: [id] } }
  await tellOfUser(tx, user, { type: 'realm_user', op: 'update', person }, audience)
}

/** Tells everybody under which address the API knows somebody now, and of the picture that goes with it, unless one was uploaded. */
export async function tellApiEmail(tx: Tx, user: User): Promise<void> {
  const person = { user_id: user.id, new_email: apiEmail(user) }
  await tellOfUser(tx, user, { type: 'realm_user', op: 'update', person })
  if (user.avatarKey === null) await tellAvatar(tx, user)
}

/** Who is told of another address of this user: those who may see it. */
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

/** Tells a user whose role becomes `role` the addresses that they may see from now on, and which they may see no longer. */
export async function tellEmailsInSight(tx: Tx, user: User, role: Role): Promise<void> {
  const people = (await tx.users.hidingEmail()).flatMap(({ id, email, emailVisibility }) => {
    const isShown = isShownTo(role, emailVisibility)
    if (id === user.id || isShown === isShownTo(user.role, emailVisibility)) return []
    return [{ user_id: id, delivery_email: isShown ? email : null }]
  })
  for (const some of chunksOf(people, TOGETHER)) {
    const audience: Audience = { to: 'users', userIds: [user.id] }
    tx.events.append({ type: 'realm_user', op: 'addresses', people: some }, audience, some.length)
  }
}
