/** Positions of the event log after which everything is still needed by somebody who has no queue yet. */
export class LogHolds {
  readonly #positions = new Map<symbol, number>()

  /** Keeps everything after `position` until the returned function is called. */
  hold(position: number): () => void {
    const key = Symbol()
    this.#positions.set(key, position)
    return () => void this.#positions.delete(key)
  }

  /** Infinity when nobody holds anything. */
  get lowest(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#positions.values())
  }
}
