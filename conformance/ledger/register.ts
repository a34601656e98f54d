/** When something was done: from before its request was sent until its answer was there, by `performance.now()`. */
export interface Span {
  readonly sentAt: number
  /** Infinity: it may be done at any later time, or not at all. */
  readonly answeredAt: number
}

interface Write<T> extends Span {
  readonly value: T | typeof unknown
}

/** A value that nobody can know from outside. */
export const unknown = Symbol('unknown')

/**
 * What a thing that several may write at the same time can be: a reader sees the value of some write that began before
 * the reading ended, and that no other write has certainly replaced before the reading began.
 */
export class Register<T> {
  readonly #writes: Write<T>[] = []

  write(value: T | typeof unknown, { sentAt, answeredAt }: Span): void {
    this.#writes.push({ value, sentAt, answeredAt })
  }

  /**
   * What a reading may find; undefined when anything: before the first write has surely happened, or after an unknown
   * one.
   */
  possible({ sentAt, answeredAt }: Span): T[] | undefined {
    const done = this.#writes.filter((one) => one.answeredAt < sentAt)
    if (done.length === 0) return undefined
    const left = this.#writes.filter(
      (one) => one.sentAt <= answeredAt && !done.some((later) => later.sentAt > one.answeredAt),
    )
    const values = left.map(({ value }) => value)
    return values.includes(unknown) ? undefined : (values as T[])
  }

  /** Everything that was ever written; undefined where nobody knows all of it. */
  get values(): T[] | undefined {
    const values = this.#writes.map(({ value }) => value)
    return values.includes(unknown) ? undefined : (values as T[])
  }
}
