import type { Readers } from '../../db/repositories.ts'
import { hasRole, isGuest } from '../../domain/users/roles.ts'
import { apiEmail, avatarUrl, mediumAvatarUrl, toWireUser } from '../../domain/users/user.ts'
import type { Schemas } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { StatePart, StateRequest } from './state-request.ts'

/** Fetch type `realm_user`: the people, and the caller's own account. */
export const part: StatePart = async (read, actor, request) =>
  request.isWanted('realm_user') ? userState(read, actor, request) : {}

async function userState(read: Readers, actor: Actor, request: StateRequest): Promise<Schemas['UserState']> {
  const { pauses } = request
  const { organization } = read
  const users = await read.users.all(pauses)
  const listed = (isActive: boolean) =>
    pauses.map(
      users.filter((user) => user.isActive === isActive),
      (user) => toWireUser(user, request),
    )
  const mayCreate = (setting: 'public' | 'private' | 'web_public'): boolean =>
    organization.isIn(organization.settings[`can_create_${setting}_channel_group`], actor)
  return {
    realm_users: await listed(true),
    realm_non_active_users: await listed(false),
    cross_realm_bots: [],
    user_id: actor.id,
    email: apiEmail(actor),
    delivery_email: actor.email,
    full_name: actor.fullName,
    is_owner: hasRole(actor.role, 'owner'),
    is_admin: hasRole(actor.role, 'administrator'),
    is_moderator: hasRole(actor.role, 'moderator'),
    is_guest: isGuest(actor.role),
    avatar_source: 'G',
    avatar_url: avatarUrl(actor),
    avatar_url_medium: mediumAvatarUrl(actor),
    can_create_streams: mayCreate('public') || mayCreate('private'),
    can_create_public_streams: mayCreate('public'),
    can_create_private_streams: mayCreate('private'),
    // No channel can be read without an account yet.
    can_create_web_public_streams: false,
    can_invite_others_to_realm: organization.isIn(organization.settings.can_invite_users_group, actor),
  }
}
