import { describeDefaultGroup } from '../../actions/channels/default-channels.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { MAX_DEFAULT_GROUP_DESCRIPTION_LENGTH, MAX_DEFAULT_GROUP_NAME_LENGTH } from '../../domain/limits.ts'
import { boundedText, requiredName } from '../../domain/text/given-text.ts'
import type { Handler } from '../handler.ts'

/** PATCH /default_stream_groups/{group_id} */
export const updateDefaultStreamGroup: Handler<'update-default-stream-group'> = async ({ input, write }) => {
  const { new_group_name: name, new_description: description } = input
  if (name === undefined && description === undefined) {
    throw new BadRequestError('Nothing to do. Specify at least one of "new_group_name" or "new_description".')
  }
  if (description !== undefined) boundedText('new_description', description, MAX_DEFAULT_GROUP_DESCRIPTION_LENGTH)
  const wanted = {
    ...(name !== undefined && { name: requiredName('new_group_name', name, MAX_DEFAULT_GROUP_NAME_LENGTH) }),
    ...(description !== undefined && { description }),
  }
  await write((tx) => describeDefaultGroup(tx, input.group_id, wanted))
  return {}
}
