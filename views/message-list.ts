import type { MessageHead, WantedTexts } from '../db/repositories/message-pages.ts'
import type { ShownMessage } from '../db/repositories/viewed-messages.ts'
import type { Readers } from '../db/repositories.ts'
import { MIB } from '../domain/attachments/attachment.ts'
import { chunksOf } from '../domain/chunks.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { MessageId } from '../domain/ids.ts'
import type { Site } from '../domain/organization/server-settings.ts'
import type { Pauses } from '../event-loop/pauses.ts'
import { findMessage, readableHeads } from '../permissions/access-message.ts'
import type { Actor } from '../permissions/actor.ts'
import { withVisibleHistories } from '../permissions/former-places.ts'
import { withVisibleSenders } from '../permissions/visible-users.ts'
import type { MessageRange } from './message-range.ts'

/**
 * Maximum size of one answer. A message with its former versions, its widget or its reactions may have some megabytes.
 * 5,000 of these would exceed the memory of the process, and any member could crash it.
 */
const MAX_BYTES = 32 * MIB

/** Number of messages read by one statement. */
const READ_TOGETHER = 100

/** The space in one answer, which has at least one message and as many more as fit. */
export class AnswerRoom {
  #bytes = 0
  #count = 0
  #refused: MessageId | undefined

  /** Whether the next message fits. After the first one that does not fit, no other fits. */
  takes({ id, bytes }: Pick<MessageHead, 'id' | 'bytes'>): boolean {
    this.#bytes += bytes
    this.#count += 1
    if (this.#bytes <= MAX_BYTES || this.#count === 1) return true
    this.#refused ??= id
    return false
  }

  /** The first message that did not fit. */
  get refused(): MessageId | undefined {
    return this.#refused
  }
}

/** For messages that are wanted together or not at all. */
export class RoomForAll extends AnswerRoom {
  /** @throws {BadRequestError} if the messages are too long for one answer */
  override takes(head: Pick<MessageHead, 'id' | 'bytes'>): boolean {
    if (super.takes(head)) return true
    throw new BadRequestError('These messages are too long to be answered together: ask for fewer')
  }
}

/**
 * Returns the messages of a range, nearest to the anchor first, which is the order in which they get space in the
 * answer.
 */
export function outward({ ids, anchor }: Pick<MessageRange, 'ids' | 'anchor'>): MessageId[] {
  const found = ids.findIndex((id) => id >= anchor)
  const middle = found === -1 ? ids.length : found
  const order: MessageId[] = []
  for (let step = 0; order.length < ids.length; step += 1) {
    const [after, before] = [ids[middle + step], ids[middle - 1 - step]]
    if (after !== undefined) order.push(after)
    if (before !== undefined) order.push(before)
  }
  return order
}

/** Returns the part of the range that fitted into the answer. */
export function reachedRange(range: MessageRange, { refused }: AnswerRoom): MessageRange {
  if (refused === undefined) return range
  const order = outward(range)
  const left = new Set(order.slice(order.indexOf(refused)))
  const isThere = (id: MessageId | undefined): boolean => id !== undefined && !left.has(id)
  return {
    ...range,
    isOldestFound: range.isOldestFound && isThere(range.ids[0]),
    isNewestFound: range.isNewestFound && isThere(range.ids.at(-1)),
  }
}

export interface ListOptions {
  /** For the addresses of senders whom `actor` cannot see. */
  readonly site: Pick<Site, 'publicUrl'>
  readonly wanted: WantedTexts
  readonly room: AnswerRoom
  readonly pauses: Pauses
}

/**
 * Yields those of `ids` that exist, that `actor` may read and that fit, in parts in the order of `ids`; within a part
 * by ascending ID. Sizes are counted before anything long is read.
 */
export async function* messageList(
  read: Readers,
  actor: Actor,
  ids: readonly MessageId[],
  { site, wanted, room, pauses }: ListOptions,
): AsyncGenerator<readonly ShownMessage[]> {
  for (const part of chunksOf(ids, READ_TOGETHER)) {
    const heads = await readableHeads(read, actor, part, wanted)
    const fitting = fittingOf(heads, part, room)
    const long = fitting.filter((head) => head.isLong)
    const messages = await read.messagePages.messages(
      long.length === 0 ? fitting : fitting.filter((head) => !head.isLong),
    )
    for (const { id } of long) {
      const viewed = await findMessage(read, actor, id)
      if (viewed) messages.push(viewed)
      await pauses.letOthers()
    }
    const ordered = long.length === 0 ? messages : messages.sort((one, other) => one.message.id - other.message.id)
    yield await withVisibleSenders(read, actor, site, await withVisibleHistories(read, actor, ordered))
    if (room.refused !== undefined) return
    await pauses.letOthers()
  }
}

/** Returns the heads that fit, in the order of `heads`. Assigns space in the order of `ids`. */
function fittingOf(heads: readonly MessageHead[], ids: readonly MessageId[], room: AnswerRoom): readonly MessageHead[] {
  const headOf = new Map(heads.map((head) => [head.id, head]))
  const fitting = new Set<MessageId>()
  for (const id of ids) {
    const head = headOf.get(id)
    if (!head) continue
    if (!room.takes(head)) break
    fitting.add(id)
  }
  return heads.filter(({ id }) => fitting.has(id))
}
