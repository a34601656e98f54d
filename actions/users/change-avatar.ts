import type { Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { OrganizationState } from '../../domain/organization/organization-state.ts'
import { hasRole } from '../../domain/users/roles.ts'
import {
  avatarFileNames,
  avatarPath,
  avatarSource,
  avatarUrl,
  mediumAvatarUrl,
  type User,
} from '../../domain/users/user.ts'
import { announceUser } from './user-visibility.ts'

/** An uploaded picture in its two sizes. */
interface NewAvatar {
  /** Unique, and impossible to guess. */
  readonly key: string
  readonly small: Uint8Array
  readonly medium: Uint8Array
}

/** @throws {BadRequestError} if users may not change their pictures */
export function refuseAvatarChange({ settings }: OrganizationState, user: User): void {
  if (settings.avatar_changes_disabled && !hasRole(user.role, 'administrator')) {
    throw new BadRequestError('Avatar changes are disabled in this organization.')
  }
}

/**
 * Replaces a user's picture, or removes it so that the one of the address shows, and announces that. The former picture
 * is deleted.
 *
 * @returns the account as it is now
 */
export async function changeAvatar(tx: Tx, user: User, avatar: NewAvatar | undefined): Promise<User> {
  if (user.avatarKey !== null) {
    for (const fileName of Object.values(avatarFileNames(user.avatarKey)))
      await tx.pictures.remove(avatarPath(fileName))
  }
  if (avatar) {
    const { small, medium } = avatarFileNames(avatar.key)
    await tx.pictures.insert(avatarPath(small), avatar.small)
    await tx.pictures.insert(avatarPath(medium), avatar.medium)
  }
  const changed = { ...user, avatarKey: avatar?.key ?? null, avatarVersion: user.avatarVersion + 1 }
  await tx.users.update(user.id, { avatar: changed })
  await announceAvatar(tx, changed)
  return changed
}

/** Also tells clients that compute the address of the picture themselves (EV-REALMUSER-6). */
export async function announceAvatar(tx: Tx, user: User): Promise<void> {
  const person = {
    user_id: user.id,
    avatar_source: avatarSource(user),
    avatar_url: avatarUrl(user),
    avatar_url_medium: mediumAvatarUrl(user),
    avatar_version: user.avatarVersion,
  }
  await announceUser(tx, user, { type: 'realm_user', op: 'update', person })
}
