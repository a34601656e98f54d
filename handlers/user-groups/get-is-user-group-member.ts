import { accessUser } from '../../permissions/access-user.ts'
import { accessGroup } from '../../permissions/manage-group.ts'
import { isMember } from '../../views/group-members.ts'
import type { Handler } from '../handler.ts'

/** GET /user_groups/{user_group_id}/members/{user_id} */
export const getIsUserGroupMember: Handler<'get-is-user-group-member'> = async ({ input, actor, db }) => {
  const { id } = await accessGroup(db.read, input.user_group_id)
  const user = await accessUser(db.read, actor, input.user_id)
  return { is_user_group_member: isMember(db.read, user, id, input.direct_member_only) }
}
