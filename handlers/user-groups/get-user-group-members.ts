import { accessGroup } from '../../permissions/manage-group.ts'
import { memberIds } from '../../views/group-members.ts'
import type { Handler } from '../handler.ts'

/** GET /user_groups/{user_group_id}/members */
export const getUserGroupMembers: Handler<'get-user-group-members'> = async ({ input, db, pauses }) => {
  const { id } = await accessGroup(db.read, input.user_group_id)
  return { members: await memberIds(db.read, id, input.direct_member_only, pauses) }
}
