import { changeGroupMembers } from '../../actions/user-groups/change-group-members.ts'
import type { Handler } from '../handler.ts'

/** POST /user_groups/{user_group_id}/subgroups */
export const updateUserGroupSubgroups: Handler<'update-user-group-subgroups'> = async ({ input, write }) => {
  const { add: addSubgroups = [], delete: removeSubgroups = [] } = input
  const changes = { add: [], remove: [], addSubgroups, removeSubgroups }
  await write((tx, actor) => changeGroupMembers(tx, actor, input.user_group_id, changes))
  return {}
}
