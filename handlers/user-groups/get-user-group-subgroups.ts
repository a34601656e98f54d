import { accessGroup } from '../../permissions/manage-group.ts'
import { subgroupIds } from '../../views/group-members.ts'
import type { Handler } from '../handler.ts'

/** GET /user_groups/{user_group_id}/subgroups */
export const getUserGroupSubgroups: Handler<'get-user-group-subgroups'> = async ({ input, db }) => {
  const { id } = await accessGroup(db.read, input.user_group_id)
  return { subgroups: subgroupIds(db.read, id, input.direct_subgroup_only) }
}
