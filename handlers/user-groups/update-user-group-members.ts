import { changeGroupMembers } from '../../actions/user-groups/change-group-members.ts'
import type { Handler } from '../handler.ts'

/** POST /user_groups/{user_group_id}/members */
export const updateUserGroupMembers: Handler<'update-user-group-members'> = async ({ input, write }) => {
  const {
    add = [],
    delete: remove = [],
    add_subgroups: addSubgroups = [],
    delete_subgroups: removeSubgroups = [],
  } = input
  const changes = { add, remove, addSubgroups, removeSubgroups }
  await write((tx, actor) => changeGroupMembers(tx, actor, input.user_group_id, changes))
  return {}
}
