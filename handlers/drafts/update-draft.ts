import { accessRecipients, DRAFTS, requireKeptDrafts } from '../../actions/drafts.ts'
import { refuseUnknown, replaceOwn } from '../../actions/own-rows.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { checkDraft } from '../../domain/drafts/drafts.ts'
import type { Handler } from '../handler.ts'

/** PATCH /drafts/{draft_id}: replaces the whole draft (STATE-OTHER-2). */
export const updateDraft: Handler<'update-draft'> = async ({ input, actor, db, write, clock }) => {
  await requireKeptDrafts(db.read, actor.id)
  if (!(await db.read.drafts.has(actor.id, input.draft_id))) refuseUnknown(DRAFTS)
  const given = checkDraft(input.draft, { writer: actor.id, where: 'draft', now: unixSeconds(clock) })
  await accessRecipients(db.read, actor, [given])
  await write(async (tx, { id }) => {
    await requireKeptDrafts(tx, id)
    await replaceOwn(tx, id, DRAFTS, { id: input.draft_id, ...given })
  })
  return {}
}
