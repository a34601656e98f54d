import { accessMessageChange, changeMessage } from '../../actions/messages/change-message.ts'
import type { RenderedText } from '../../actions/messages/render-content.ts'
import { spendingByRun } from '../../domain/allowance.ts'
import type { MessageId } from '../../domain/ids.ts'
import { normalizeEditedContent } from '../../domain/messages/message-content.ts'
import type { Handler } from '../handler.ts'

/** PATCH /messages/{message_id}: edits content, and moves messages to other topics and channels. */
export const updateMessage: Handler<'update-message'> = async (services) => {
  const { input, actor: caller, write, db, alertWords, renderToSend, moves } = services
  const isMove = input.topic !== undefined || input.stream_id !== undefined
  const change = {
    messageId: input.message_id as MessageId,
    prevContentSha256: input.prev_content_sha256,
    move: input,
    notices: {
      inOldThread: input.send_notification_to_old_thread,
      inNewThread: input.send_notification_to_new_thread,
      alertWords,
    },
  }
  const changed = async (content: RenderedText | undefined) => {
    const spend = spendingByRun(moves)
    try {
      // Spent in the transaction, so that moves that share a commit do not evade the limit.
      return await write(async (tx, actor) => {
        spend(0)
        if (isMove) moves.check()
        const { detached, moved } = await changeMessage(tx, actor, change, content)
        spend(moved)
        return { detached_uploads: detached }
      })
    } catch (err) {
      spend(0)
      throw err
    }
  }
  if (input.content === undefined) return changed(undefined)
  await accessMessageChange(db.read, caller, change, true)
  return changed(await renderToSend(normalizeEditedContent(input.content)))
}
