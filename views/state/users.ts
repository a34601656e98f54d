import type { CommittedReaders } from '../../db/shared-rows.ts'
import { onceFor } from '../../domain/once-for.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import {
  ORGANIZATION_GROUP_SETTINGS,
  type OrganizationGroupSettingName,
} from '../../domain/user-groups/group-settings.ts'
import { hasRole, isGuest } from '../../domain/users/roles.ts'
import { apiEmail, avatarSource, avatarUrl, mediumAvatarUrl, toWireUser, type User } from '../../domain/users/user.ts'
import type { Schemas } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'
import { visibilityFor } from '../../permissions/visible-users.ts'
import { usersJson, withUnknown } from '../users-json.ts'
import type { StatePart, StateRequest } from './state-request.ts'

/** Fetch type `realm_user`: the people, and the caller's own account. */
export const part: StatePart = async (read, actor, request) =>
  request.isWanted('realm_user') ? userState(read, actor, request) : {}

async function userState(read: CommittedReaders, actor: Actor, request: StateRequest): Promise<Schemas['UserState']> {
  const { pauses } = request
  const { organization } = read
  const { active, inactive } = byActivity(await usersShown(read, actor, request))
  const json = usersJson({ ...request, viewer: actor })
  const may = (name: OrganizationGroupSettingName): boolean =>
    organization.may(ORGANIZATION_GROUP_SETTINGS[name], organization.settings[name], actor)
  const [mayCreatePublic, mayCreatePrivate] = [
    may('can_create_public_channel_group'),
    may('can_create_private_channel_group'),
  ]
  return {
    realm_users: (await json.list(active, pauses)).as(),
    realm_non_active_users: (await json.list(inactive, pauses)).as(),
    cross_realm_bots: (await read.users.systemBots()).map((bot) => ({
      ...toWireUser(bot, { ...request, viewer: actor }),
      is_system_bot: true,
    })),
    user_id: actor.id,
    email: apiEmail(actor),
    delivery_email: actor.email,
    full_name: actor.fullName,
    is_owner: hasRole(actor.role, 'owner'),
    is_admin: hasRole(actor.role, 'administrator'),
    is_moderator: hasRole(actor.role, 'moderator'),
    is_guest: isGuest(actor.role),
    avatar_source: avatarSource(actor),
    avatar_url: avatarUrl(actor),
    avatar_url_medium: mediumAvatarUrl(actor),
    can_create_streams: mayCreatePublic || mayCreatePrivate,
    can_create_public_streams: mayCreatePublic,
    can_create_private_streams: mayCreatePrivate,
    // No channel can be read without an account yet.
    can_create_web_public_streams: false,
    can_invite_others_to_realm: may('can_invite_users_group'),
  }
}

/**
 * Leaves out users whom the caller cannot see. For clients that do not know such lists, these users have an empty
 * entry.
 */
async function usersShown(
  read: CommittedReaders,
  actor: Actor,
  { capabilities, site, pauses }: StateRequest,
): Promise<readonly User[]> {
  const users = await read.shared.users(pauses)
  const isSeen = await visibilityFor(read, actor, pauses)
  if (!isSeen) return users
  return capabilities.user_list_incomplete ? users.filter(isSeen) : withUnknown(users, isSeen, hostOf(site))
}

const byActivity = onceFor((users: readonly User[]) => ({
  active: users.filter((user) => user.isActive),
  inactive: users.filter((user) => !user.isActive),
}))
