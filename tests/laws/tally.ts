/** Least share of its tries in which every kind of action must succeed: below, the law is tested on refusals only. */
const LEAST_SHARE = 0.05
/** Of fewer tries than this, none succeeding is chance. */
const TRIES_THAT_TELL = 20

/** Counts what a run of a law really did, so that a law that holds because nothing happened is noticed. */
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
   * Throws where a kind of action hardly ever succeeded, or where some of `expected` were never tried or seen.
   * @param mayMiss this many of them may be missing: a short run does not meet what is rare, a long one must
   */
  check(expected: readonly string[], mayMiss = 0): void {
    const rare = [...this.#tries].filter(
      ([, { succeeded, tried }]) => tried >= TRIES_THAT_TELL && succeeded < tried * LEAST_SHARE,
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
