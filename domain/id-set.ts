const BITS = 31

/** A set for millions of IDs: a few bytes for each 31 neighbours. */
export class IdSet {
  readonly #words = new Map<number, number>()

  add(id: number): void {
    const word = Math.floor(id / BITS)
    this.#words.set(word, (this.#words.get(word) ?? 0) | (1 << (id % BITS)))
  }

  has(id: number): boolean {
    return ((this.#words.get(Math.floor(id / BITS)) ?? 0) & (1 << (id % BITS))) !== 0
  }

  *[Symbol.iterator](): Iterator<number> {
    for (const [word, bits] of this.#words) {
      for (let bit = 0; bit < BITS; bit += 1) if ((bits & (1 << bit)) !== 0) yield word * BITS + bit
    }
  }
}
