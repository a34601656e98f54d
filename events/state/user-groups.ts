import { toWireUserGroup } from '../../domain/wire-user-group.ts'
import { isInWaitingPeriod } from '../../permissions/groups.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `realm_user_groups`: groups that people made, and those that follow the roles. */
export const userGroupsPart: StatePart = async (read, _actor, request) => {
  if (!request.isWanted('realm_user_groups')) return {}
  const groups = await read.userGroups.all()
  const users = await read.users.all()
  return {
    realm_user_groups: groups
      .filter((group) => !group.isDeactivated || request.capabilities.include_deactivated_groups)
      .map((group) =>
        toWireUserGroup(group, users, (user) => isInWaitingPeriod(user, request.organization, request.now)),
      ),
  }
}
