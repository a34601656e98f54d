import { NarrowQuery } from '../../db/narrow/narrow-query.ts'
import { searchedFor } from '../../db/narrow/resolved-narrow.ts'
import { Pauses } from '../../db/pauses.ts'
import type { ViewedMessage } from '../../db/repositories/messages.ts'
import type { Readers } from '../../db/repositories.ts'
import { chunksOf } from '../../domain/chunks.ts'
import { BadRequestError, IncompatibleParametersError, MissingParameterError } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import { secondsOfIsoTime } from '../../domain/iso-time.ts'
import { JsonPieces } from '../../domain/json-pieces.ts'
import { flagNames } from '../../domain/messages/flags.ts'
import { toWireMessage } from '../../domain/messages/message.ts'
import { parseNarrow } from '../../domain/narrow/terms.ts'
import { matchFields } from '../../domain/search/match-fields.ts'
import type { Input, Output } from '../../generated/operations.ts'
import { readableMessages } from '../../permissions/access-message.ts'
import { resolveNarrow } from '../../permissions/resolve-narrow.ts'
import { checkAnswerSize, fittingRange } from '../../views/answer-size.ts'
import { checkMessageCount, type MessageRange, messageRange, type RangeRequest } from '../../views/message-range.ts'
import type { Handler } from '../handler.ts'

/** GET /messages: a range around an anchor, or a list of ids; both within a narrow (REF-6). */
export const getMessages: Handler<'get-messages'> = async ({ input, actor, db, site, hasLeft }) => {
  const wanted = input.message_ids
  const request = wanted ? undefined : rangeRequest(input)
  if (wanted) checkIds(input, wanted)
  return db.moment(actor.id, (read) => page(read, { input, actor, site, hasLeft }, request))
}

type PageContext = Pick<Parameters<typeof getMessages>[0], 'input' | 'actor' | 'site' | 'hasLeft'>

/** @param request undefined where messages are listed */
async function page(read: Readers, { input, actor, site, hasLeft }: PageContext, request: RangeRequest | undefined) {
  const narrow = await resolveNarrow(read, actor, parseNarrow(input.narrow))
  const pauses = new Pauses({ worker: actor.id, hasLeft })
  const range = request && (await fittingRange(read, await messageRange(read, actor, narrow, request, pauses), pauses))
  const listed = () => new NarrowQuery(read.session, actor, narrow, { pauses }).among(input.message_ids ?? [])
  const ids = range?.ids ?? (await listed())
  if (!range) await checkAnswerSize(read, ids, pauses)
  const format = {
    applyMarkdown: input.apply_markdown,
    clientGravatar: input.client_gravatar,
    allowEmptyTopicName: input.allow_empty_topic_name,
    realmStringId: read.organization.stringId,
    wireValues: site.wireValues,
    editHistoryPolicy: read.organization.settings.message_edit_history_visibility_policy,
  }
  const search = searchedFor(narrow)
  const toWire = ({ message, flags }: ViewedMessage): WireMessage => ({
    ...toWireMessage(message, format),
    flags: flagNames(flags),
    ...(search && matchFields(message, search, input.allow_empty_topic_name)),
  })
  const viewed = (part: readonly MessageId[]) => readableMessages(read, actor, part)
  // What was searched for is looked for again in every text, to mark it.
  const json = new JsonPieces()
  json.add('"messages":[')
  const written = await writeMessages(json, ids, search ? 1 : WRITTEN_TOGETHER, { viewed, toWire, pauses })
  json.add(`],${JSON.stringify({ ...rangeFields(range, written), history_limited: false }).slice(1, -1)}`)
  return json
}

type WireMessage = Output<'get-messages'>['messages'][number]

/** Messages that are read in one statement, and those that are turned into JSON without a pause. */
const READ_TOGETHER = 100
const WRITTEN_TOGETHER = 10

interface ListParts {
  readonly viewed: (part: readonly MessageId[]) => Promise<ViewedMessage[]>
  readonly toWire: (message: ViewedMessage) => WireMessage
  readonly pauses: Pauses
}

/**
 * Writes the items of the list, piece by piece: thousands of messages take a second and more.
 * @returns which of `ids` are still there and may still be read
 */
async function writeMessages(
  json: JsonPieces,
  ids: readonly MessageId[],
  together: number,
  { viewed, toWire, pauses }: ListParts,
): Promise<ReadonlySet<number>> {
  let comma = ''
  const written = new Set<number>()
  for (const part of chunksOf(ids, READ_TOGETHER)) {
    for (const group of chunksOf(await viewed(part), together)) {
      for (const { message } of group) written.add(message.id)
      json.add(comma + JSON.stringify(group.map(toWire)).slice(1, -1))
      comma = ','
      await pauses.letOthers()
    }
  }
  return written
}

function rangeFields(range: MessageRange | undefined, written: ReadonlySet<number>) {
  if (!range) return { found_anchor: false, found_newest: false, found_oldest: false }
  return {
    anchor: range.anchor,
    found_anchor: range.isAnchorFound && written.has(range.anchor),
    found_newest: range.isNewestFound,
    found_oldest: range.isOldestFound,
  }
}

function checkIds(input: Input<'get-messages'>, wanted: readonly number[]): void {
  const isSent = {
    anchor: input.anchor !== undefined,
    anchor_date: input.anchor_date !== undefined,
    // Their defaults are filled in, so only the other value shows that they were sent.
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
  checkMessageCount(before + after)
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
