/**
 * Waiting items by owner: every owner in turn, each one's items in order, so that nobody waits for everything that
 * another has asked for.
 */
export class FairQueue<Item> {
  readonly #limit: number
  /** In the order of their turns; none is empty. */
  readonly #lanes = new Map<number, Item[]>()
  #size = 0

  /** @param limit how many may wait */
  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  /** @returns what gave way when there were too many: the newest of whoever had most, perhaps `item` itself */
  add(owner: number, item: Item): Item | undefined {
    const lane = this.#lanes.get(owner)
    if (lane) lane.push(item)
    else this.#lanes.set(owner, [item])
    this.#size += 1
    return this.#size > this.#limit ? this.#giveWay(owner) : undefined
  }

  /** Whose turn it is. */
  take(): Item | undefined {
    const [next] = this.#lanes
    if (next === undefined) return undefined
    const [owner, lane] = next
    const item = lane.shift()
    this.#size -= 1
    this.#lanes.delete(owner)
    if (lane.length > 0) this.#lanes.set(owner, lane)
    return item
  }

  /** @param newest who is meant where several have most */
  #giveWay(newest: number): Item | undefined {
    let longest = newest
    for (const [owner, lane] of this.#lanes) {
      if (lane.length > (this.#lanes.get(longest)?.length ?? 0)) longest = owner
    }
    const lane = this.#lanes.get(longest)
    const item = lane?.pop()
    this.#size -= 1
    if (lane?.length === 0) this.#lanes.delete(longest)
    return item
  }
}
