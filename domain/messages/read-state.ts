import { ascending } from '../ids.ts'

/**
 * The read state of a user, as bits in blocks of 4,096 message IDs (docs/decisions, "Settled read state"). A row of
 * `read_block` decides about its block, depending on its form; without a row, IDs up to `user.read_through` are read.
 */
export const BLOCK_SIZE = 4096
const BITMAP_BYTES = BLOCK_SIZE / 8
/** A list is used while it is no longer than the bitmap. */
const LONGEST_LIST = BITMAP_BYTES / 2

/**
 * 0: bitmap of the read messages. 1: ascending u16 offsets (little-endian) of the unread messages, empty if all are
 * read. 2: bitmap of the unread messages.
 */
export type BlockForm = 0 | 1 | 2

export interface ReadBlock {
  readonly form: BlockForm
  readonly bits: Uint8Array
}

export function blockOf(messageId: number): number {
  return Math.floor(messageId / BLOCK_SIZE)
}

export function isRead(messageId: number, readThrough: number, block: ReadBlock | undefined): boolean {
  if (!block) return messageId <= readThrough
  const offset = messageId % BLOCK_SIZE
  switch (block.form) {
    case 0:
      return hasBit(block.bits, offset)
    case 1:
      return !hasOffset(block.bits, offset)
    case 2:
      return !hasBit(block.bits, offset)
    default:
      return block.form satisfies never
  }
}

/**
 * Returns the block after `messageIds`, all in it, were read. A settled block stays settled.
 *
 * @param block undefined: it has no row, so IDs up to `readThrough` are read
 */
export function withRead(block: ReadBlock | undefined, messageIds: readonly number[], readThrough: number): ReadBlock {
  const known = block ?? withoutRow(messageIds, readThrough)
  if (known.form === 0) return openBlock(known.bits, messageIds, setBit)
  const read = new Set(messageIds.map(offsetOf))
  return settledBlock(unreadOffsets(known).filter((offset) => !read.has(offset)))
}

/** Same as `withRead`, but returns the block after `messageIds`, all in it, became unread. */
export function withUnread(
  block: ReadBlock | undefined,
  messageIds: readonly number[],
  readThrough: number,
): ReadBlock {
  const known = block ?? withoutRow(messageIds, readThrough)
  if (known.form === 0) return openBlock(known.bits, messageIds, clearBit)
  return settledBlock([...unreadOffsets(known), ...messageIds.map(offsetOf)])
}

/** Returns a settled block: these offsets are unread, and all others are read or were never received. */
export function settledBlock(unread: readonly number[]): ReadBlock {
  const offsets = ascending(unread)
  if (offsets.length <= LONGEST_LIST) {
    return { form: 1, bits: Uint8Array.from(offsets.flatMap((offset) => [offset & 255, offset >> 8])) }
  }
  const bits = new Uint8Array(BITMAP_BYTES)
  for (const offset of offsets) setBit(bits, offset)
  return { form: 2, bits }
}

/**
 * Returns the unread IDs of a settled block, ascending; undefined for an open block, which does not have the received
 * messages.
 */
export function unreadIds(blockNumber: number, block: ReadBlock): number[] | undefined {
  if (block.form === 0) return undefined
  const start = blockNumber * BLOCK_SIZE
  return unreadOffsets(block).map((offset) => start + offset)
}

/** Returns the highest offset that the block may say is read; -1 if there is none. */
export function newestRead({ form, bits }: ReadBlock): number {
  if (form !== 0) return BLOCK_SIZE - 1
  const last = bits.findLastIndex((byte) => byte !== 0)
  return last < 0 ? -1 : last * 8 + 31 - Math.clz32(bits[last] ?? 0)
}

/** Whether the row only says that everything in its block is read. */
export function isComplete({ form, bits }: ReadBlock): boolean {
  return form === 1 && bits.length === 0
}

function unreadOffsets({ form, bits }: ReadBlock): number[] {
  const offsets: number[] = []
  if (form === 1) {
    for (let index = 0; index + 1 < bits.length; index += 2) {
      offsets.push((bits[index] ?? 0) | ((bits[index + 1] ?? 0) << 8))
    }
  } else {
    for (let index = 0; index < bits.length; index += 1) {
      for (let rest = bits[index] ?? 0; rest !== 0; rest &= rest - 1)
        offsets.push(index * 8 + 31 - Math.clz32(rest & -rest))
    }
  }
  return offsets
}

/** Returns the state of a block without a row: settled if everything is below `readThrough`, otherwise open. */
function withoutRow([first]: readonly number[], readThrough: number): ReadBlock {
  if (first === undefined) throw new RangeError('no message ids')
  const start = blockOf(first) * BLOCK_SIZE
  const end = start + BLOCK_SIZE - 1
  if (end <= readThrough) return settledBlock([])
  const bits = new Uint8Array(BITMAP_BYTES)
  for (let id = start; id <= readThrough; id += 1) setBit(bits, offsetOf(id))
  return { form: 0, bits }
}

function openBlock(
  before: Uint8Array,
  messageIds: readonly number[],
  change: (bits: Uint8Array, offset: number) => void,
): ReadBlock {
  const bits = Uint8Array.from(before)
  for (const id of messageIds) change(bits, offsetOf(id))
  return { form: 0, bits }
}

function offsetOf(messageId: number): number {
  return messageId % BLOCK_SIZE
}

function hasBit(bits: Uint8Array, offset: number): boolean {
  return ((bits[offset >> 3] ?? 0) & (1 << (offset & 7))) !== 0
}

function setBit(bits: Uint8Array, offset: number): void {
  bits[offset >> 3] = (bits[offset >> 3] ?? 0) | (1 << (offset & 7))
}

function clearBit(bits: Uint8Array, offset: number): void {
  bits[offset >> 3] = (bits[offset >> 3] ?? 0) & ~(1 << (offset & 7))
}

function hasOffset(list: Uint8Array, offset: number): boolean {
  for (let index = 0; index + 1 < list.length; index += 2) {
    if (((list[index] ?? 0) | ((list[index + 1] ?? 0) << 8)) === offset) return true
  }
  return false
}
