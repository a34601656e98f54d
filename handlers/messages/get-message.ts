import type { MessageId } from '../../domain/ids.ts'
import { flagNames } from '../../domain/messages/flags.ts'
import { toWireMessage } from '../../domain/messages/message.ts'
import { accessMessage } from '../../permissions/access-message.ts'
import { withVisibleHistories } from '../../permissions/former-places.ts'
import { withVisibleSenders } from '../../permissions/visible-users.ts'
import type { Handler } from '../handler.ts'

/** GET /messages/{message_id} (MSG-GET-1 to MSG-GET-10). */
export const getMessage: Handler<'get-message'> = async ({ input, actor, db, site }) => {
  const viewed = await accessMessage(db.read, actor, input.message_id as MessageId)
  const shown = await withVisibleHistories(db.read, actor, [viewed])
  const [{ message, flags } = viewed] = await withVisibleSenders(db.read, actor, site, shown)
  const wire = toWireMessage(message, {
    applyMarkdown: input.apply_markdown,
    clientGravatar: false,
    allowEmptyTopicName: input.allow_empty_topic_name,
    realmStringId: db.read.organization.stringId,
    wireValues: site.wireValues,
    editHistoryPolicy: db.read.organization.settings.message_edit_history_visibility_policy,
    linkifiers: db.read.organization.linkifiers,
  })
  return { message: { ...wire, flags: flagNames(flags) }, raw_content: message.content }
}
