import { requireKeptDrafts } from '../../actions/drafts.ts'
import type { Handler } from '../handler.ts'

/** GET /drafts: least recently edited first. */
export const getDrafts: Handler<'get-drafts'> = async ({ actor, db }) => {
  await requireKeptDrafts(db.read, actor.id)
  const drafts = await db.read.drafts.of(actor.id)
  return { count: drafts.length, drafts }
}
