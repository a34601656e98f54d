import { userGroupsJson } from '../../views/state/user-groups.ts'
import type { Handler } from '../handler.ts'

/** GET /user_groups */
export const getUserGroups: Handler<'get-user-groups'> = async ({ input, db, pauses }) => {
  const includesDeactivated = input.include_deactivated_groups || input.allow_deactivated
  return { user_groups: (await userGroupsJson(db.read, includesDeactivated, pauses)).as() }
}
