import type { Pauses } from '../db/pauses.ts'
import type { Readers } from '../db/repositories.ts'
import { MIB } from '../domain/attachments/attachment.ts'
import { chunksOf } from '../domain/chunks.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { MessageId } from '../domain/ids.ts'
import type { MessageRange } from './message-range.ts'

/**
 * Bytes in one answer. A message with its former versions, its widget or its reactions may have some megabytes, so that
 * 5,000 of them would not fit into the memory of the process: any member could stop it.
 */
const MAX_BYTES = 32 * MIB

/**
 * The part of the range in one answer: messages nearest to the anchor, one at least. An end with some missing was not
 * reached.
 */
export async function fittingRange(read: Readers, range: MessageRange, pauses: Pauses): Promise<MessageRange> {
  const { ids, anchor } = range
  if (ids.length <= 1) return range
  const sizes = await sizesOf(read, ids, pauses)
  const middle = ids.findIndex((id) => id >= anchor)
  let first = middle === -1 ? ids.length : middle
  let end = first
  let bytes = 0
  const fits = (id: MessageId | undefined): boolean => {
    if (id === undefined) return false
    bytes += sizes.get(id) ?? 0
    return bytes <= MAX_BYTES || first === end
  }
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false
    if (fits(ids[end])) {
      end += 1
      isGrowing = true
    }
    if (first > 0 && fits(ids[first - 1])) {
      first -= 1
      isGrowing = true
    }
  }
  return {
    ...range,
    ids: ids.slice(first, end),
    isOldestFound: range.isOldestFound && first === 0,
    isNewestFound: range.isNewestFound && end === ids.length,
  }
}

/** @throws {BadRequestError} when the messages are too long to be answered together */
export async function checkAnswerSize(read: Readers, ids: readonly MessageId[], pauses: Pauses): Promise<void> {
  if (ids.length <= 1) return
  let bytes = 0
  for (const size of (await sizesOf(read, ids, pauses)).values()) bytes += size
  if (bytes > MAX_BYTES) throw new BadRequestError('These messages are too long to be answered together: ask for fewer')
}

/** The size of a long message is in pages of its own, all of which are read. */
const SIZES_A_STATEMENT = 200

async function sizesOf(read: Readers, ids: readonly MessageId[], pauses: Pauses): Promise<Map<MessageId, number>> {
  const sizes = new Map<MessageId, number>()
  for (const chunk of chunksOf(ids, SIZES_A_STATEMENT)) {
    for (const [id, bytes] of await read.messages.sizes(chunk)) sizes.set(id, bytes)
    await pauses.letOthers()
  }
  return sizes
}
