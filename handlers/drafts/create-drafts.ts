import { accessRecipients, DRAFT_ROOM, requireKeptDrafts } from '../../actions/keep-drafts.ts'
import { refuseTooMuch } from '../../actions/refuse-too-much.ts'
import { tellSelf } from '../../actions/tell-self.ts'
import { accepted } from '../../domain/checked.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { checkDraft } from '../../domain/drafts/drafts.ts'
import type { Handler } from '../handler.ts'

/** POST /drafts (DRAFT-1 to DRAFT-9): all of them, or none. */
export const createDrafts: Handler<'create-drafts'> = async ({ input, actor, db, write, clock }) => {
  await requireKeptDrafts(db.read, actor.id)
  const now = unixSeconds(clock)
  const given = input.drafts.map((draft, index) =>
    accepted(checkDraft(draft, { writer: actor.id, where: `drafts[${index}]`, now })),
  )
  await accessRecipients(db.read, actor, given)
  const drafts = await write(async (tx, { id }) => {
    await requireKeptDrafts(tx, id)
    const made = await tx.drafts.insert(id, given)
    await refuseTooMuch(tx.drafts, id, DRAFT_ROOM)
    tellSelf(tx, id, { type: 'drafts', op: 'add', drafts: made })
    return made
  })
  return { ids: drafts.map(({ id }) => id) }
}
