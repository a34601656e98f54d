import { accessRecipients, requireKeptDrafts } from '../../actions/keep-drafts.ts'
import { tellSelf } from '../../actions/tell-self.ts'
import { accepted } from '../../domain/checked.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { checkDraft, MAX_DRAFTS } from '../../domain/drafts.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { Handler } from '../handler.ts'

/** POST /drafts (DRAFT-1 to DRAFT-9): all of them, or none. */
export const createDrafts: Handler<'create-drafts'> = async ({ input, actor, db, write, clock }) => {
  const now = unixSeconds(clock)
  const given = input.drafts.map((draft, index) => accepted(checkDraft(draft, `drafts[${index}]`, now)))
  await accessRecipients(db.read, actor, given)
  const drafts = await write(async (tx, { id }) => {
    await requireKeptDrafts(tx, id)
    if ((await tx.drafts.count(id)) + given.length > MAX_DRAFTS) {
      throw new BadRequestError(`You have too many drafts (limit: ${MAX_DRAFTS})`)
    }
    const made = await tx.drafts.insert(id, given)
    tellSelf(tx, id, { type: 'drafts', op: 'add', drafts: made })
    return made
  })
  return { ids: drafts.map(({ id }) => id) }
}
