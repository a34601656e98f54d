import { channelsNamed, createDefaultGroup } from '../../actions/channels/default-channels.ts'
import { MAX_DEFAULT_GROUP_DESCRIPTION_LENGTH, MAX_DEFAULT_GROUP_NAME_LENGTH } from '../../domain/limits.ts'
import { boundedText, requiredName } from '../../domain/text/given-text.ts'
import type { Handler } from '../handler.ts'

/** POST /default_stream_groups/create */
export const createDefaultStreamGroup: Handler<'create-default-stream-group'> = async ({ input, write }) => {
  const name = requiredName('group_name', input.group_name, MAX_DEFAULT_GROUP_NAME_LENGTH)
  const description = boundedText('description', input.description, MAX_DEFAULT_GROUP_DESCRIPTION_LENGTH)
  await write(async (tx) => {
    await createDefaultGroup(tx, name, description, await channelsNamed(tx, input.stream_names))
  })
  return {}
}
