import { NarrowQuery } from '../../db/narrow/narrow-query.ts'
import { searchedFor } from '../../db/narrow/resolved-narrow.ts'
import type { ShownMessage } from '../../db/repositories/viewed-messages.ts'
import { chunksOf } from '../../domain/chunks.ts'
import { BadRequestError, IncompatibleParametersError, MissingParameterError } from '../../domain/errors.ts'
import { secondsOfIsoTime } from '../../domain/iso-time.ts'
import { JsonPieces } from '../../domain/json-pieces.ts'
import { messageJson } from '../../domain/messages/message-json.ts'
import { parseNarrow } from '../../domain/narrow/terms.ts'
import { matchFields } from '../../domain/search/match-fields.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import type { Input } from '../../generated/operations.ts'
import { resolveNarrow } from '../../permissions/resolve-narrow.ts'
import { AnswerRoom, messageList, outward, RoomForAll, reachedRange } from '../../views/message-list.ts'
import { checkMessageCount, type MessageRange, messageRange, type RangeRequest } from '../../views/message-range.ts'
import type { Handler } from '../handler.ts'

/** GET /messages: a range around an anchor, or a list of IDs; both within a narrow (REF-6). */
export const getMessages: Handler<'get-messages'> = async ({ input, actor, db: { read }, site, pauses }) => {
  const listed = input.message_ids
  const request = listed ? undefined : rangeRequest(input)
  if (listed) checkIds(input, listed)
  const narrow = await resolveNarrow(read, actor, parseNarrow(input.narrow))
  const range = request && (await messageRange(read, actor, narrow, request, pauses))
  const ids = range
    ? outward(range)
    : await new NarrowQuery(read.session, actor, narrow, { pauses }).among(listed ?? [])
  const format = {
    applyMarkdown: input.apply_markdown,
    clientGravatar: input.client_gravatar,
    allowEmptyTopicName: input.allow_empty_topic_name,
    realmStringId: read.organization.stringId,
    wireValues: site.wireValues,
    editHistoryPolicy: read.organization.settings.message_edit_history_visibility_policy,
    linkifiers: read.organization.linkifiers,
  }
  const search = searchedFor(narrow)
  const jsonOf = messageJson(format)
  const toJson = ({ message, flags }: ShownMessage): string =>
    jsonOf(message, flags, search && matchFields(message, search, input.allow_empty_topic_name))
  const room = range ? new AnswerRoom() : new RoomForAll()
  const wanted = { content: !input.apply_markdown, renderedContent: input.apply_markdown || search !== undefined }
  const parts = messageList(read, actor, ids, { site, wanted, room, pauses })
  // To mark the finds of a search, every text is searched again.
  const writer = { together: search ? 1 : WRITTEN_TOGETHER, toJson, pauses }
  const { json, hasAnchor } = await messagesJson(parts, range?.anchor ?? 0, writer)
  const reached = range && reachedRange(range, room)
  json.add(`,${JSON.stringify({ ...rangeFields(reached, hasAnchor), history_limited: false }).slice(1, -1)}`)
  return json
}

/** Number of messages that are turned into JSON without a pause. */
const WRITTEN_TOGETHER = 10
/** Size of a message after which there may be a pause: ten with all their former versions would take 0.3 s. */
const WRITTEN_ALONE = 32 * 1024

interface Writer {
  readonly together: number
  readonly toJson: (message: ShownMessage) => string
  readonly pauses: Pauses
}

/**
 * Returns the list by ascending ID, written in pieces, because thousands of messages take a second or more.
 *
 * @param parts each ascending; those before `anchor` come newest first, the others oldest first
 * @returns `hasAnchor`: whether it contains the message `anchor`
 */
async function messagesJson(
  parts: AsyncIterable<readonly ShownMessage[]>,
  anchor: number,
  writer: Writer,
): Promise<{ json: JsonPieces; hasAnchor: boolean }> {
  const before: JsonPieces[] = []
  const after: JsonPieces[] = []
  let hasAnchor = false
  for await (const part of parts) {
    const found = part.findIndex(({ message }) => message.id >= anchor)
    const split = found === -1 ? part.length : found
    const [low, high] = [part.slice(0, split), part.slice(split)]
    if (high[0]?.message.id === anchor) hasAnchor = true
    if (low.length > 0) before.push(await listJson(low, writer))
    if (high.length > 0) after.push(await listJson(high, writer))
  }
  const json = new JsonPieces()
  json.add('"messages":[')
  let comma = ''
  for (const list of [...before.reverse(), ...after]) {
    json.add(comma)
    json.append(list)
    comma = ','
  }
  json.add(']')
  return { json, hasAnchor }
}

async function listJson(messages: readonly ShownMessage[], { together, toJson, pauses }: Writer): Promise<JsonPieces> {
  const json = new JsonPieces()
  let comma = ''
  for (const group of chunksOf(messages, together)) {
    for (const message of group) {
      const text = comma + toJson(message)
      json.add(text)
      comma = ','
      if (text.length > WRITTEN_ALONE) await pauses.letOthers()
    }
    await pauses.letOthers()
  }
  return json
}

function rangeFields(range: MessageRange | undefined, hasAnchor: boolean) {
  if (!range) return { found_anchor: false, found_newest: false, found_oldest: false }
  return {
    anchor: range.anchor,
    found_anchor: range.isAnchorFound && hasAnchor,
    found_newest: range.isNewestFound,
    found_oldest: range.isOldestFound,
  }
}

function checkIds(input: Input<'get-messages'>, wanted: readonly number[]): void {
  const isSent = {
    anchor: input.anchor !== undefined,
    anchor_date: input.anchor_date !== undefined,
    // Defaults are filled in, so only a different value shows that a parameter was sent.
    include_anchor: !input.include_anchor,
    use_first_unread_anchor: input.use_first_unread_anchor,
    num_before: input.num_before !== undefined,
    num_after: input.num_after !== undefined,
  }
  const excluded = Object.entries(isSent).flatMap(([name, wasSent]) => (wasSent ? [name] : []))
  if (excluded.length > 0) throw new IncompatibleParametersError(['message_ids', ...excluded])
  checkMessageCount(wanted.length)
}

function rangeRequest(input: Input<'get-messages'>): RangeRequest {
  const { num_before: before, num_after: after, include_anchor: includeAnchor } = input
  if (before === undefined) throw new MissingParameterError('num_before')
  if (after === undefined) throw new MissingParameterError('num_after')
  return { anchor: anchorOf(input), before, after, includeAnchor }
}

function anchorOf({
  anchor,
  anchor_date: date,
  use_first_unread_anchor: usesFirstUnread,
}: Input<'get-messages'>): RangeRequest['anchor'] {
  if (usesFirstUnread) return 'first_unread'
  if (anchor === undefined) throw new MissingParameterError('anchor')
  if (anchor !== 'date') return anchor
  if (date === undefined) throw new MissingParameterError('anchor_date')
  const from = secondsOfIsoTime(date)
  if (from === undefined) throw new BadRequestError('anchor_date is not an ISO 8601 date or time')
  return { from }
}
