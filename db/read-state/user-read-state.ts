import type { MessageId, UserId } from '../../domain/ids.ts'
import { BLOCK_SIZE, blockOf, isComplete, isRead, type ReadBlock, unreadIds } from '../../domain/messages/read-state.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { ReadStateReader } from '../repositories/read-state.ts'
import type { Session } from '../session.ts'
import { ReceivedMessages } from './received.ts'

/** Number of unsettled blocks that are computed first. */
const FIRST_BLOCKS_AT_ONCE = 4
/** A quarter of a million IDs. */
const MAX_BLOCKS_AT_ONCE = 64

/** The read state of one user at one moment. */
export class UserReadState {
  readonly readThrough: number
  readonly blocks: ReadonlyMap<number, ReadBlock>
  readonly #session: Session
  readonly #pauses: Pauses
  readonly #received: ReceivedMessages

  private constructor(
    session: Session,
    userId: UserId,
    pauses: Pauses,
    { readThrough, blocks }: Pick<UserReadState, 'readThrough' | 'blocks'>,
  ) {
    this.#session = session
    this.#pauses = pauses
    this.#received = new ReceivedMessages(session, userId, pauses)
    this.readThrough = readThrough
    this.blocks = blocks
  }

  /** @param pauses of the work that this belongs to */
  static async load(session: Session, userId: UserId, pauses = new Pauses()): Promise<UserReadState> {
    const reader = new ReadStateReader(session)
    const readThrough = await reader.readThrough(userId)
    return new UserReadState(session, userId, pauses, { readThrough, blocks: await reader.blocks(userId) })
  }

  /** Whether a message that was received is read. */
  isRead(id: number): boolean {
    return isRead(id, this.readThrough, this.blocks.get(blockOf(id)))
  }

  /** Returns an ID below which everything that was received is read; undefined if nothing can be unread. */
  async leastUnread(): Promise<number | undefined> {
    const [[firstOpen] = []] = this.unsettled(blockOf(await this.newestId()))
    let least = firstOpen
    for (const [number, block] of this.blocks) {
      if (block.form !== 0 && !isComplete(block) && (least === undefined || number < least)) least = number
    }
    return least === undefined ? undefined : least * BLOCK_SIZE
  }

  /** Returns the IDs that were received and not read, ascending, perhaps including deleted messages. */
  async unreadIds(): Promise<MessageId[]> {
    const unread: MessageId[] = []
    for await (const ids of this.unreadParts('asc')) for (const id of ids) unread.push(id)
    return unread
  }

  /**
   * Same as above in parts, each ascending, from the oldest or the newest on. Settled blocks are read directly. The
   * received messages of other blocks are computed when needed, for more blocks each time. So a caller who wants a few
   * messages does not wait for all, and a caller who wants all makes few queries.
   */
  async *unreadParts(order: 'asc' | 'desc'): AsyncGenerator<MessageId[]> {
    const settled = [...this.blocks].flatMap(([number, block]) => (block.form === 0 ? [] : [[number, number] as const]))
    const parts = [...settled, ...this.unsettled(blockOf(await this.newestId()))]
    parts.sort(([one], [other]) => (order === 'asc' ? one - other : other - one))
    let blocksAtOnce = FIRST_BLOCKS_AT_ONCE
    for (const [first, last] of parts) {
      const block = this.blocks.get(first)
      const known = block && unreadIds(first, block)
      if (known) {
        if (known.length > 0) yield known as MessageId[]
        await this.#pauses.letOthers()
        continue
      }
      for (let left = last - first + 1; left > 0; blocksAtOnce = Math.min(blocksAtOnce * 2, MAX_BLOCKS_AT_ONCE)) {
        const count = Math.min(blocksAtOnce, left)
        const from = order === 'asc' ? last - left + 1 : first + left - count
        left -= count
        const ids = await this.unreadIn(from, from + count - 1)
        if (ids.length > 0) yield ids as MessageId[]
        await this.#pauses.letOthers()
      }
    }
  }

  /** Returns the received and unread IDs of the unsettled blocks `first` to `last`, ascending. */
  async unreadIn(first: number, last: number): Promise<number[]> {
    const ids = await this.#received.ids(first * BLOCK_SIZE, (last + 1) * BLOCK_SIZE - 1)
    return ids.filter((id) => !this.isRead(id))
  }

  /** Returns runs of unsettled blocks up to `lastBlock`, ascending. */
  unsettled(lastBlock: number): [first: number, last: number][] {
    const open = new Set<number>()
    for (const [number, block] of this.blocks) if (block.form === 0 && number <= lastBlock) open.add(number)
    for (let number = blockOf(this.readThrough + 1); number <= lastBlock; number += 1) {
      if (!this.blocks.has(number)) open.add(number)
    }
    const runs: [number, number][] = []
    for (const number of [...open].sort((a, b) => a - b)) {
      const run = runs.at(-1)
      if (run?.[1] === number - 1) run[1] = number
      else runs.push([number, number])
    }
    return runs
  }

  async newestId(): Promise<number> {
    const row = await this.#session.get<{ id: number | null }>('select max(id) as id from message')
    return row?.id ?? 0
  }
}
