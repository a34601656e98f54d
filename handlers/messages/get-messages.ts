import type { Readers } from '../../db/database.ts'
import { NarrowQuery, type ResolvedNarrow } from '../../db/narrow-query.ts'
import { UnreadQuery } from '../../db/unread-query.ts'
import { BadRequestError, IncompatibleParametersError, MissingParameterError } from '../../domain/errors.ts'
import { flagNames } from '../../domain/flags.ts'
import type { MessageId } from '../../domain/ids.ts'
import { MAX_MESSAGES_PER_FETCH } from '../../domain/limits.ts'
import { toWireMessage } from '../../domain/message.ts'
import { parseNarrow } from '../../domain/narrow/terms.ts'
import type { Input } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'
import { resolveNarrow } from '../../permissions/resolve-narrow.ts'
import type { Handler } from '../handler.ts'

/** `anchor` in the answer to `newest`: above every id (facts/narrow.md, "Anchors and ranges"). */
const NEWEST = 10 ** 16

/** GET /messages: a range around an anchor, or a list of ids; both within a narrow (REF-6). */
export const getMessages: Handler<'get-messages'> = async ({ input, actor, db, organization, site }) => {
  const narrow = await resolveNarrow(db.read, actor, parseNarrow(input.narrow))
  const found = input.message_ids
    ? await byIds(db.read, actor, narrow, input)
    : await range(db.read, actor, narrow, input)
  const { ids, ...rest } = found
  const format = {
    applyMarkdown: input.apply_markdown,
    clientGravatar: input.client_gravatar,
    allowEmptyTopicName: input.allow_empty_topic_name,
    realmStringId: organization.stringId,
    wireValues: site.wireValues,
  }
  const viewed = await db.read.messages.viewedMany(actor.id, ids)
  const messages = viewed.map(({ message, flags }) => ({ ...toWireMessage(message, format), flags: flagNames(flags) }))
  return { messages, ...rest, history_limited: false }
}

interface Found {
  readonly ids: readonly MessageId[]
  readonly anchor?: number
  readonly found_anchor: boolean
  readonly found_newest: boolean
  readonly found_oldest: boolean
}

async function byIds(
  read: Readers,
  actor: Actor,
  narrow: ResolvedNarrow,
  input: Input<'get-messages'>,
): Promise<Found> {
  const isSent = {
    anchor: input.anchor !== undefined,
    // Their defaults are filled in, so only the other value shows that they were sent.
    include_anchor: !input.include_anchor,
    use_first_unread_anchor: input.use_first_unread_anchor,
    num_before: input.num_before !== undefined,
    num_after: input.num_after !== undefined,
  }
  const excluded = Object.entries(isSent).flatMap(([name, wasSent]) => (wasSent ? [name] : []))
  if (excluded.length > 0) throw new IncompatibleParametersError(['message_ids', ...excluded])
  const wanted = input.message_ids ?? []
  checkCount(wanted.length)
  const ids = await new NarrowQuery(read.session, actor, narrow).among(wanted)
  return { ids, found_anchor: false, found_newest: false, found_oldest: false }
}

async function range(
  read: Readers,
  actor: Actor,
  narrow: ResolvedNarrow,
  input: Input<'get-messages'>,
): Promise<Found> {
  const { num_before: before, num_after: after, include_anchor: includeAnchor } = input
  if (before === undefined) throw new MissingParameterError('num_before')
  if (after === undefined) throw new MissingParameterError('num_after')
  checkCount(before + after)
  if (!includeAnchor && before > 0 && after > 0) {
    throw new BadRequestError('The anchor can only be excluded at an end of the range')
  }
  const anchor = await anchorOf(read, actor, narrow, input)
  const query = new NarrowQuery(read.session, actor, narrow)
  const idsBefore = await query.before(anchor, before)
  const isFound = includeAnchor && anchor > 0 && anchor < NEWEST && (await query.has(anchor))
  const idsAfter = await query.after(anchor, after)
  return {
    ids: [...idsBefore, ...(isFound ? [anchor as MessageId] : []), ...idsAfter],
    anchor,
    found_anchor: isFound,
    found_newest: anchor === NEWEST || idsAfter.length < after,
    found_oldest: anchor === 0 || idsBefore.length < before,
  }
}

async function anchorOf(
  read: Readers,
  actor: Actor,
  narrow: ResolvedNarrow,
  { anchor, use_first_unread_anchor: usesFirstUnread }: Input<'get-messages'>,
): Promise<number> {
  if (usesFirstUnread || anchor === 'first_unread') {
    return (await new UnreadQuery(read.session, actor).first(narrow)) ?? NEWEST
  }
  if (anchor === undefined) throw new MissingParameterError('anchor')
  if (anchor === 'newest') return NEWEST
  if (anchor === 'oldest') return 0
  return Math.min(Math.max(anchor, 0), NEWEST)
}

function checkCount(count: number): void {
  if (count > MAX_MESSAGES_PER_FETCH) {
    throw new BadRequestError(`Too many messages requested (maximum ${MAX_MESSAGES_PER_FETCH}).`)
  }
}
