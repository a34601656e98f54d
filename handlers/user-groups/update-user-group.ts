import { changeGroup } from '../../actions/user-groups/change-group.ts'
import type { Handler } from '../handler.ts'

/** PATCH /user_groups/{user_group_id} */
export const updateUserGroup: Handler<'update-user-group'> = async ({ input, write }) => {
  await write((tx, actor) => changeGroup(tx, actor, input.user_group_id, input))
  return {}
}
