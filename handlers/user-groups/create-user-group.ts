import { createGroup } from '../../actions/user-groups/create-group.ts'
import { boundedText } from '../../domain/text/given-text.ts'
import { checkUserGroupName, MAX_USER_GROUP_DESCRIPTION_LENGTH } from '../../domain/user-groups/user-group-names.ts'
import type { Handler } from '../handler.ts'

/** POST /user_groups/create */
export const createUserGroup: Handler<'create-user-group'> = async ({ input, write }) => {
  const name = checkUserGroupName(input.name)
  const { description, members, subgroups = [] } = input
  boundedText('description', description, MAX_USER_GROUP_DESCRIPTION_LENGTH)
  const wanted = { name, description, members, subgroups, settings: input }
  return { group_id: await write((tx, actor) => createGroup(tx, actor, wanted)) }
}
