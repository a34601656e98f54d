import { NarrowQuery } from '../../db/narrow/narrow-query.ts'
import { searchedFor } from '../../db/narrow/resolved-narrow.ts'
import { parseNarrow } from '../../domain/narrow/terms.ts'
import { matchFields } from '../../domain/search/match-fields.ts'
import { resolveNarrow } from '../../permissions/resolve-narrow.ts'
import { messageList, RoomForAll } from '../../views/message-list.ts'
import { checkMessageCount } from '../../views/message-range.ts'
import type { Handler } from '../handler.ts'

const NOTHING = { words: [], alone: [], phrases: [] }

/** GET /messages/matches_narrow: which of the listed messages match a narrow (NARROW-1 to NARROW-15). */
export const checkMessagesMatchNarrow: Handler<'check-messages-match-narrow'> = async ({
  input,
  actor,
  db,
  site,
  pauses,
}) => {
  checkMessageCount(input.msg_ids.length)
  const narrow = await resolveNarrow(db.read, actor, parseNarrow(input.narrow))
  const ids = await new NarrowQuery(db.read.session, actor, narrow, { pauses }).among(input.msg_ids)
  const search = searchedFor(narrow) ?? NOTHING
  const messages: Record<string, ReturnType<typeof matchFields>> = {}
  const wanted = { content: false, renderedContent: true }
  const options = { site, wanted, room: new RoomForAll(), pauses }
  for await (const part of messageList(db.read, actor, ids, options)) {
    for (const { message } of part) {
      messages[message.id] = matchFields(message, search, false)
      await pauses.letOthers()
    }
  }
  return { messages }
}
