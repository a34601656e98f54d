/**
 * What a user has read, as bits in blocks of 4,096 message ids (architecture decision 3).
 * A row of `read_block` decides for its block by its form; without a row, ids up to `user.read_through` are read.
 */
export const BLOCK_SIZE = 4096
const BITMAP_BYTES = BLOCK_SIZE / 8

/** 0: bits of what was read. 1: ascending u16 offsets (little-endian) of what is unread, empty = all read. 2: bitmap of what is unread. */
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

/** The open block after `messageIds`, all in it, were read. Without a block before, ids up to `readThrough` count as read. */
export function withRead(block: ReadBlock | undefined, messageIds: readonly number[], readThrough: number): ReadBlock {
  const first = messageIds[0]
  if (first === undefined) throw new RangeError('no message ids')
  const bits = openBits(block, blockOf(first), readThrough)
  for (const id of messageIds) setBit(bits, id % BLOCK_SIZE)
  return { form: 0, bits }
}

function openBits(block: ReadBlock | undefined, blockNumber: number, readThrough: number): Uint8Array {
  if (block?.form === 0) return Uint8Array.from(block.bits)
  const bits = new Uint8Array(BITMAP_BYTES)
  const start = blockNumber * BLOCK_SIZE
  for (let offset = 0; offset < BLOCK_SIZE; offset += 1) {
    if (isRead(start + offset, readThrough, block)) setBit(bits, offset)
  }
  return bits
}

function hasBit(bits: Uint8Array, offset: number): boolean {
  return ((bits[offset >> 3] ?? 0) & (1 << (offset & 7))) !== 0
}

function setBit(bits: Uint8Array, offset: number): void {
  bits[offset >> 3] = (bits[offset >> 3] ?? 0) | (1 << (offset & 7))
}

function hasOffset(list: Uint8Array, offset: number): boolean {
  for (let index = 0; index + 1 < list.length; index += 2) {
    if (((list[index] ?? 0) | ((list[index + 1] ?? 0) << 8)) === offset) return true
  }
  return false
}
