import type { MessageId, UserId } from '../../domain/ids.ts'
import { BLOCK_SIZE, blockOf, isComplete, type ReadBlock, settledBlock } from '../../domain/messages/read-state.ts'
import type { Tx } from '../repositories.ts'
import { UserReadState } from './user-read-state.ts'

/**
 * Number of blocks settled in one transaction, while other writers wait. Takes about 20 ms if every message was
 * received.
 */
const BLOCKS_A_TURN = 16

/**
 * Stores the unread messages of closed blocks, so that the messages that the user received there need not be computed
 * again. Raises `read_through` over blocks that are read completely, or that end before the oldest message
 * (docs/decisions, "Settled read state"). Settles only blocks below the one of the newest message: IDs commit in order,
 * so these blocks get no further messages, and later subscriptions change nothing in them.
 *
 * @returns whether more is left to do for this user
 */
export async function settleReadState(tx: Pick<Tx, 'session' | 'readState'>, userId: UserId): Promise<boolean> {
  const state = await UserReadState.load(tx.session, userId)
  const lastClosed = blockOf(await state.newestId()) - 1
  const runs = state.unsettled(lastClosed)
  const blocks = new Map(state.blocks)
  let left = BLOCKS_A_TURN
  for (const [first, last] of runs) {
    const end = Math.min(last, first + left - 1)
    const settled = await settledRun(state, first, end)
    for (const [number, block] of settled) blocks.set(number, block)
    left -= end - first + 1
    if (left === 0) break
  }

  const firstOpen = blockOf(state.readThrough + 1)
  const oldest = await tx.session.get<{ id: number | null }>('select min(id) as id from message')
  const firstPresent = blockOf(oldest?.id ?? 0)
  let through = firstOpen - 1
  for (let block = blocks.get(through + 1); block; block = blocks.get(through + 1)) {
    if (!isComplete(block) && through + 1 >= firstPresent) break
    through += 1
  }
  const readThrough = Math.max(state.readThrough, (through + 1) * BLOCK_SIZE - 1)
  const isCompleted = (number: number): boolean => number >= firstOpen && number <= through
  const changed = [...blocks].filter(([number, block]) => !isCompleted(number) && block !== state.blocks.get(number))
  await tx.readState.storeBlocks(userId, new Map(changed))
  if (readThrough > state.readThrough) {
    await tx.readState.raiseReadThrough(userId, readThrough as MessageId, [...state.blocks.keys()].filter(isCompleted))
  }
  return runs.reduce((sum, [first, last]) => sum + last - first + 1, 0) > BLOCKS_A_TURN
}

async function settledRun(state: UserReadState, first: number, last: number): Promise<Map<number, ReadBlock>> {
  const byBlock = Map.groupBy(await state.unreadIn(first, last), blockOf)
  const blocks = new Map<number, ReadBlock>()
  for (let number = first; number <= last; number += 1) {
    blocks.set(number, settledBlock((byBlock.get(number) ?? []).map((id) => id - number * BLOCK_SIZE)))
  }
  return blocks
}
