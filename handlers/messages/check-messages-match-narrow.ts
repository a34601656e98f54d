import { checkAnswerSize } from '../../actions/answer-size.ts'
import { checkMessageCount } from '../../actions/message-range.ts'
import { NarrowQuery } from '../../db/narrow/narrow-query.ts'
import { searchedFor } from '../../db/narrow/resolved-narrow.ts'
import { Pauses } from '../../db/pauses.ts'
import { parseNarrow } from '../../domain/narrow/terms.ts'
import { matchFields } from '../../domain/search/match-fields.ts'
import { resolveNarrow } from '../../permissions/resolve-narrow.ts'
import type { Handler } from '../handler.ts'

const NOTHING = { words: [], phrases: [] }

/** GET /messages/matches_narrow: which of the listed messages are in a narrow (NARROW-1 to NARROW-15). */
export const checkMessagesMatchNarrow: Handler<'check-messages-match-narrow'> = async ({
  input,
  actor,
  db,
  hasLeft,
}) => {
  checkMessageCount(input.msg_ids.length)
  const narrow = await resolveNarrow(db.read, actor, parseNarrow(input.narrow))
  const ids = await new NarrowQuery(db.read.session, actor, narrow, { pauses: new Pauses(hasLeft) }).among(
    input.msg_ids,
  )
  await checkAnswerSize(db.read, ids)
  const viewed = await db.read.messages.viewedMany(actor.id, ids)
  const search = searchedFor(narrow) ?? NOTHING
  return {
    messages: Object.fromEntries(viewed.map(({ message }) => [message.id, matchFields(message, search, false)])),
  }
}
