/** Minimum share of its tries in which every kind of action must succeed: below it, the law only tests refusals. */
const MIN_SHARE = 0.05
/** With fewer tries, no success may be chance. */
const TRIES_THAT_TELL = 20

/** Counts what a run of a law really did, so that a law does not hold because nothing happened. */
export class Tally {
  readonly #tries = new Map<string, { succeeded: number; tried: number }>()
  readonly #seen = new Map<string, number>()

  /** One try of an action of `kind`. */
  tried(kind: string, hasSucceeded: boolean): void {
    const count = this.#tries.get(kind) ?? { succeeded: 0, tried: 0 }
    count.tried += 1
    if (hasSucceeded) count.succeeded += 1
    this.#tries.set(kind, count)
  }

  /** Something that a run should meet, such as an event of one type. */
  saw(what: string, times = 1): void {
    this.#seen.set(what, (this.#seen.get(what) ?? 0) + times)
  }

  /** One line each for what was tried and what was seen. */
  lines(): string[] {
    const tries = [...this.#tries].map(([kind, { succeeded, tried }]) => `${kind} ${succeeded} of ${tried}`)
    const seen = [...this.#seen].map(([what, times]) => `${what} ${times}`)
    return [`succeeded: ${tries.sort().join(', ')}`, `seen: ${seen.sort().join(', ')}`]
  }

  /**
   * Throws if a kind of action hardly ever succeeded, or if some of `expected` were never tried or seen.
   *
   * @param mayMiss this many of them may be missing, because a short run does not meet rare things
   */
  check(expected: readonly string[], mayMiss = 0): void {
    const rare = [...this.#tries].filter(
      ([, { succeeded, tried }]) => tried >= TRIES_THAT_TELL && succeeded < tried * MIN_SHARE,
    )
    const missing = expected.filter((what) => !this.#tries.has(what) && !this.#seen.has(what))
    if (rare.length === 0 && missing.length <= mayMiss) return
    throw new Error(
      [
        ...rare.map(([kind, { succeeded, tried }]) => `'${kind}' succeeded in only ${succeeded} of ${tried} tries`),
        ...missing.map((what) => `'${what}' never happened`),
        ...this.lines(),
      ].join('\n'),
    )
  }
}
