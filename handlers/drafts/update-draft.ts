import { accessRecipients, DRAFT_ROOM, noSuchDraft, requireKeptDrafts } from '../../actions/keep-drafts.ts'
import { refuseTooMuch } from '../../actions/refuse-too-much.ts'
import { tellSelf } from '../../actions/tell-self.ts'
import { accepted } from '../../domain/checked.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { checkDraft } from '../../domain/drafts/drafts.ts'
import type { Handler } from '../handler.ts'

/** PATCH /drafts/{draft_id}: replaces it as a whole (STATE-OTHER-2). */
export const updateDraft: Handler<'update-draft'> = async ({ input, actor, db, write, clock }) => {
  await requireKeptDrafts(db.read, actor.id)
  if (!(await db.read.drafts.has(actor.id, input.draft_id))) throw noSuchDraft()
  const given = accepted(checkDraft(input.draft, { writer: actor.id, where: 'draft', now: unixSeconds(clock) }))
  await accessRecipients(db.read, actor, [given])
  await write(async (tx, { id }) => {
    await requireKeptDrafts(tx, id)
    const draft = { id: input.draft_id, ...given }
    if (!(await tx.drafts.replace(id, draft))) throw noSuchDraft()
    await refuseTooMuch(tx.drafts, id, DRAFT_ROOM)
    tellSelf(tx, id, { type: 'drafts', op: 'update', draft })
  })
  return {}
}
