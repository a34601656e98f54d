/**
 * Waiting items by owner. Owners take turns, each with its items in order, so that nobody waits for everything that
 * another one requested.
 */
export class FairQueue<Item, Owner = number> {
  readonly #limit: number
  /** In the order of their turns; none is empty. */
  readonly #lanes = new Map<Owner, Item[]>()
  #size = 0

  /** @param limit how many may wait */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  has(owner: Owner): boolean {
    return this.#lanes.has(owner)
  }

  /**
   * @returns the item that was dropped if there are too many: the newest item of the owner with the most items, perhaps
   * `item` itself
   */
  add(owner: Owner, item: Item): Item | undefined {
    const lane = this.#lanes.get(owner)
    if (lane) lane.push(item)
    else this.#lanes.set(owner, [item])
    this.#size += 1
    return this.#size > this.#limit ? this.#giveWay(owner) : undefined
  }

  /** Returns the next item. */
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

  /** @param newest the preferred owner if several have the most items */
  #giveWay(newest: Owner): Item | undefined {
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
