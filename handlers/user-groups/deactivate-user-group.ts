import { deactivateGroup } from '../../actions/user-groups/deactivate-group.ts'
import type { Handler } from '../handler.ts'

/** POST /user_groups/{user_group_id}/deactivate */
export const deactivateUserGroup: Handler<'deactivate-user-group'> = async ({ input, write }) => {
  await write((tx, actor) => deactivateGroup(tx, actor, input.user_group_id))
  return {}
}
