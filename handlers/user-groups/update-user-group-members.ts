import { changeGroupMembers } from '../../actions/change-group-members.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { Handler } from '../handler.ts'

/** POST /user_groups/{user_group_id}/members */
export const updateUserGroupMembers: Handler<'update-user-group-members'> = async ({ input, write }) => {
  const {
    add = [],
    delete: remove = [],
    add_subgroups: addSubgroups = [],
    delete_subgroups: removeSubgroups = [],
  } = input
  if ([add, remove, addSubgroups, removeSubgroups].every((list) => list.length === 0)) {
    throw new BadRequestError('Nothing to do. Specify at least one of "add" or "delete".')
  }
  const changes = { add, remove, addSubgroups, removeSubgroups }
  await write((tx, actor) => changeGroupMembers(tx, actor, input.user_group_id, changes))
  return {}
}
