import { accessMessageToEdit, editContent } from '../../actions/edit-message.ts'
import { renderContent } from '../../actions/render-content.ts'
import { accepted } from '../../domain/checked.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import { normalizeEditedContent } from '../../domain/messages/message-content.ts'
import { accessMessageToChange } from '../../permissions/access-message.ts'
import { refuseMove } from '../../permissions/message-moves.ts'
import type { Handler } from '../handler.ts'

/** PATCH /messages/{message_id}: edits of the content (MSG-EDIT-3, 10, 11, 15, 21 to 25, 27, 28, 30, 34, 48 to 54, 56 to 58). */
export const updateMessage: Handler<'update-message'> = async (services) => {
  const { input, actor: caller, write, db, site, alertWords, rendering } = services
  const messageId = input.message_id as MessageId
  if (input.content === undefined) {
    const { message } = await accessMessageToChange(db.read, caller, messageId)
    refuseMove(message, input)
    throw new BadRequestError('Nothing to change')
  }
  const edit = { messageId, prevContentSha256: input.prev_content_sha256 }
  const { message } = await accessMessageToEdit(db.read, caller, edit)
  refuseMove(message, input)
  const content = accepted(normalizeEditedContent(input.content))
  const rendered = await renderContent(db.read, caller, content, {
    publicUrl: site.publicUrl,
    rendering,
  })
  const changed = { ...edit, content, rendered, alertedUserIds: alertWords.usersIn(rendered.html) }
  return { detached_uploads: await write((tx, actor) => editContent(tx, actor, changed)) }
}
