import { announceToSelf } from '../../actions/announce-to-self.ts'
import { UserReadState } from '../../db/read-state/user-read-state.ts'
import type { MessageId } from '../../domain/ids.ts'
import { MAX_UNREAD_MESSAGES } from '../../domain/limits.ts'
import { flagAdded } from '../../domain/messages/flag-events.ts'
import type { Handler } from '../handler.ts'

/** POST /mark_all_as_read: writes one number, and no row for each message, regardless of how many were unread. */
export const markAllAsRead: Handler<'mark-all-as-read'> = async ({ write }) => {
  await write(async (tx, actor) => {
    const state = await UserReadState.load(tx.session, actor.id)
    const unread = await tx.messageVisibility.existing((await state.unreadIds()).slice(-MAX_UNREAD_MESSAGES))
    await tx.readState.markAllRead(actor.id, (await state.newestId()) as MessageId)
    if (unread.length === 0) return
    announceToSelf(tx, actor.id, flagAdded('read', unread, true))
  })
  return { complete: true }
}
