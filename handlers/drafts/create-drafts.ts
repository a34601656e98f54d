import { accessRecipients, DRAFTS, requireKeptDrafts } from '../../actions/drafts.ts'
import { addOwnRows } from '../../actions/own-rows.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { checkDraft } from '../../domain/drafts/drafts.ts'
import type { Handler } from '../handler.ts'

/** POST /drafts (DRAFT-1 to DRAFT-9): all of them or none. */
export const createDrafts: Handler<'create-drafts'> = async ({ input, actor, db, write, clock }) => {
  await requireKeptDrafts(db.read, actor.id)
  const now = unixSeconds(clock)
  const given = input.drafts.map((draft, index) =>
    checkDraft(draft, { writer: actor.id, where: `drafts[${index}]`, now }),
  )
  await accessRecipients(db.read, actor, given)
  const drafts = await write(async (tx, { id }) => {
    await requireKeptDrafts(tx, id)
    return addOwnRows(tx, id, DRAFTS, given)
  })
  return { ids: drafts.map(({ id }) => id) }
}
