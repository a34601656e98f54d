import type { Readers } from '../db/repositories.ts'
import type { UserId } from '../domain/ids.ts'
import { hostOf, type Site } from '../domain/organization/server-settings.ts'
import { unknownUser } from '../domain/users/unknown-user.ts'
import type { Sender, User } from '../domain/users/user.ts'
import type { Pauses } from '../event-loop/pauses.ts'

type Viewer = Pick<User, 'id' | 'role'>
type Seen = Pick<User, 'id' | 'isBot'>

/**
 * Returns those of `users` whom `viewer` can see, in order: all or, if the organization limits that, themselves, bots,
 * and users with a shared channel or conversation.
 */
export async function visibleUsers<One extends Seen>(
  read: Pick<Readers, 'organization' | 'acquaintances'>,
  viewer: Viewer,
  users: readonly One[],
): Promise<readonly One[]> {
  if (users.length === 0 || read.organization.seesEverybody(viewer)) return users
  const seen = await visibleIds(
    read,
    viewer,
    users.map(({ id }) => id),
  )
  const isSeen = new Set(seen)
  return users.filter(({ id }) => isSeen.has(id))
}

/** Same as above for IDs. Unknown IDs are left out if visibility is limited. */
export async function visibleIds(
  { organization, acquaintances }: Pick<Readers, 'organization' | 'acquaintances'>,
  viewer: Viewer,
  ids: readonly UserId[],
): Promise<readonly UserId[]> {
  if (ids.length === 0 || organization.seesEverybody(viewer)) return ids
  const seen = await acquaintances.among(viewer.id, ids)
  return ids.filter((id) => seen.has(id))
}

/**
 * Returns whether `viewer` can see a user, for lists of all users; undefined if everybody is visible. The cost grows
 * with the users who share something with the viewer.
 */
export async function visibilityFor(
  { organization, acquaintances }: Pick<Readers, 'organization' | 'acquaintances'>,
  viewer: Viewer,
  pauses: Pauses,
): Promise<((user: Seen) => boolean) | undefined> {
  if (organization.seesEverybody(viewer)) return undefined
  const known = await acquaintances.of(viewer.id, pauses)
  return ({ id, isBot }) => isBot || known.has(id)
}

/** Returns `messages` with their senders as `viewer` sees them: a sender who is not visible is known only by ID. */
export async function withVisibleSenders<Shown extends { readonly message: { readonly sender: Sender } }>(
  read: Pick<Readers, 'organization' | 'acquaintances' | 'users'>,
  viewer: Viewer,
  site: Pick<Site, 'publicUrl'>,
  messages: readonly Shown[],
): Promise<readonly Shown[]> {
  if (messages.length === 0 || read.organization.seesEverybody(viewer)) return messages
  const ids = [...new Set(messages.map(({ message }) => message.sender.id))]
  const seen = new Set(await visibleIds(read, viewer, ids))
  if (seen.size === ids.length) return messages
  const host = hostOf(site)
  const unknown = new Map(ids.flatMap((id) => (seen.has(id) ? [] : [[id, unknownUser(id, host)] as const])))
  return messages.map((shown) => {
    const sender = unknown.get(shown.message.sender.id)
    return sender ? { ...shown, message: { ...shown.message, sender } } : shown
  })
}
