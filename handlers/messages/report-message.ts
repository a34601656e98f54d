import { moderationChannel, reportMessage as report } from '../../actions/messages/report-message.ts'
import type { MessageId } from '../../domain/ids.ts'
import { reportContent, reportOf } from '../../domain/messages/report.ts'
import { accessMessage } from '../../permissions/access-message.ts'
import type { Handler } from '../handler.ts'

/** POST /messages/{message_id}/report. Moderators are shown only what the caller may read. */
export const reportMessage: Handler<'report-message'> = async (services) => {
  const { input, actor: caller, write, db, renderToSend, reports } = services
  const messageId = input.message_id as MessageId
  const { message } = await accessMessage(db.read, caller, messageId)
  await moderationChannel(db.read)
  const content = reportContent(message, caller, reportOf(input.report_type, input.description))
  // Counted before it is sent, so that parallel reports do not evade the limit.
  reports.check()
  reports.spend(1)
  const notice = await renderToSend(content)
  await write(async (tx, actor) => {
    const present = await accessMessage(tx, actor, messageId)
    await report(tx, present.message, notice)
  })
  return {}
}
