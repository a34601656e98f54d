/** When something was done, by `performance.now()`: from before its request until after its answer. */
export interface Span {
  readonly sentAt: number
  /** Infinity: at any later time, or never. */
  readonly answeredAt: number
}

interface Write<T> extends Span {
  readonly value: T | typeof unknown
}

/** A value that cannot be known from outside. */
export const unknown = Symbol('unknown')

/**
 * The possible values of a thing with concurrent writers: a reader sees the value of a write that began before the end
 * of the reading, and that no other write has certainly replaced before its beginning.
 */
export class Register<T> {
  readonly #writes: Write<T>[] = []

  write(value: T | typeof unknown, { sentAt, answeredAt }: Span): void {
    this.#writes.push({ value, sentAt, answeredAt })
  }

  /**
   * The values a reading may find. Undefined if it may find any: before the first write is certainly done, or after an
   * unknown one.
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
}
