import { systemGroupMembers, toWireUserGroup } from '../../domain/user-groups/wire-user-group.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `realm_user_groups`: groups that people made, and those that follow the roles. */
export const part: StatePart = async (read, _actor, { isWanted, capabilities, pauses }) => {
  if (!isWanted('realm_user_groups')) return {}
  const users = await read.users.groupMembers(pauses)
  const active = new Set(users.map(({ id }) => id))
  const system = systemGroupMembers(users, (user) => read.organization.isInWaitingPeriod(user))
  const groups = (await read.userGroups.all()).filter(
    (group) => !group.isDeactivated || capabilities.include_deactivated_groups,
  )
  return {
    realm_user_groups: groups.map((group) => {
      const stored = group.memberIds.filter((id) => active.has(id))
      return toWireUserGroup(group, group.isSystemGroup ? (system.get(group.id) ?? []) : stored)
    }),
  }
}
