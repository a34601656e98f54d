import { DRAFTS, requireKeptDrafts } from '../../actions/drafts.ts'
import { removeOwn } from '../../actions/own-rows.ts'
import type { Handler } from '../handler.ts'

/** DELETE /drafts/{draft_id} (STATE-OTHER-2). */
export const deleteDraft: Handler<'delete-draft'> = async ({ input, write }) => {
  await write(async (tx, { id }) => {
    await requireKeptDrafts(tx, id)
    await removeOwn(tx, id, DRAFTS, input.draft_id)
  })
  return {}
}
