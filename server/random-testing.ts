/** A generator of reproducible numbers from a seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** In [0, 1). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** 0 to `below` - 1. */
  int(below: number): number {
    return Math.floor(this.fraction() * below)
  }

  /** Both `low` and `high` are included. */
  between(low: number, high: number): number {
    return low + this.int(high - low + 1)
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.int(values.length)]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }

  /** Another generator for concurrent work, so that the order of turns changes nobody's numbers. */
  fork(): Random {
    return new Random(this.int(2 ** 32))
  }
}
