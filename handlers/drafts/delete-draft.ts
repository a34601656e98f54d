import { noSuchDraft, requireKeptDrafts } from '../../actions/keep-drafts.ts'
import { tellSelf } from '../../actions/tell-self.ts'
import type { Handler } from '../handler.ts'

/** DELETE /drafts/{draft_id} (STATE-OTHER-2). */
export const deleteDraft: Handler<'delete-draft'> = async ({ input, write }) => {
  await write(async (tx, { id }) => {
    await requireKeptDrafts(tx, id)
    if (!(await tx.drafts.delete(id, input.draft_id))) throw noSuchDraft()
    tellSelf(tx, id, { type: 'drafts', op: 'remove', draft_id: input.draft_id })
  })
  return {}
}
