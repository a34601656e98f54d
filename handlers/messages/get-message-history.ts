import { BadRequestError } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import { messageVersions } from '../../domain/messages/message-history.ts'
import type { Output } from '../../generated/operations.ts'
import { accessMessage } from '../../permissions/access-message.ts'
import { visiblePlaces } from '../../permissions/former-places.ts'
import type { Handler } from '../handler.ts'

/** GET /messages/{message_id}/history. */
export const getMessageHistory: Handler<'get-message-history'> = async ({ input, actor, db, pauses }) => {
  const policy = db.read.organization.settings.message_edit_history_visibility_policy
  if (policy === 'none') throw new BadRequestError('Message edit history is disabled in this organization')
  const viewed = await accessMessage(db.read, actor, input.message_id as MessageId)
  const sees = (await visiblePlaces(db.read, actor, [viewed]))(viewed)
  const format = { policy, allowEmptyTopicName: input.allow_empty_topic_name, sees }
  const versions: Output<'get-message-history'>['message_history'][number][] = []
  for (const version of messageVersions(viewed.message, format)) {
    versions.push(version)
    await pauses.letOthers()
  }
  return { message_history: versions.reverse() }
}
