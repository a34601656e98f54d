import { editableFlag, updateFlags } from '../../actions/messages/update-flags.ts'
import { parseNarrow } from '../../domain/narrow/terms.ts'
import { resolveNarrow } from '../../permissions/resolve-narrow.ts'
import { messageRange } from '../../views/message-range.ts'
import type { Handler } from '../handler.ts'

/** POST /messages/flags/narrow: sets one of the caller's flags on messages around an anchor (REF-4). */
export const updateMessageFlagsForNarrow: Handler<'update-message-flags-for-narrow'> = async (services) => {
  const { input, actor: caller, write, db, pauses } = services
  const { op } = input
  const flag = editableFlag(input.flag)
  const narrow = await resolveNarrow(db.read, caller, parseNarrow(input.narrow))
  const wanted = {
    anchor: input.anchor,
    before: input.num_before,
    after: input.num_after,
    includeAnchor: input.include_anchor,
  }
  const range = await messageRange(db.read, caller, narrow, wanted, pauses)
  const result = await write((tx, actor) => updateFlags(tx, actor, range.ids, { op, flag }))
  return {
    processed_count: range.ids.length,
    updated_count: result.changedIds.length,
    first_processed_id: range.ids[0] ?? null,
    last_processed_id: range.ids.at(-1) ?? null,
    found_oldest: range.isOldestFound,
    found_newest: range.isNewestFound,
    ...(flag === 'read' &&
      op === 'remove' && { ignored_because_not_subscribed_channels: [...result.notSubscribedChannelIds] }),
  }
}
