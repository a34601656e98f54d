import { BadRequestError } from '../../domain/errors.ts'
import { findChannelByName } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** GET /get_stream_id */
export const getStreamId: Handler<'get-stream-id'> = async ({ input, actor, db }) => {
  const found = await findChannelByName(db.read, actor, input.stream)
  if (!found || found.channel.isArchived) throw new BadRequestError(`Invalid channel name '${input.stream}'`)
  return { stream_id: found.channel.id }
}
