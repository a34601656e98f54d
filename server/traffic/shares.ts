import { isWithinShare } from '../../domain/share.ts'

/** ID of an account, or an address. */
export type Holder = number | string

/** Bytes that many callers hold at the same time, each within a share. */
export class Shares {
  readonly #total: number
  readonly #byHolder = new Map<Holder, number>()
  #held = 0

  /** @param total bytes */
  constructor(total: number) {
    this.#total = total
  }

  /** Bytes held by all together. */
  get held(): number {
    return this.#held
  }

  holdsNothing(holder: Holder): boolean {
    return !this.#byHolder.has(holder)
  }

  /** Whether `holder` may have `bytes` more. */
  hasRoom(holder: Holder, bytes: number): boolean {
    return isWithinShare((this.#byHolder.get(holder) ?? 0) + bytes, this.#total - this.#held - bytes)
  }

  /** Counts the bytes, even if there is no room. */
  take(holder: Holder, bytes: number): void {
    this.#byHolder.set(holder, (this.#byHolder.get(holder) ?? 0) + bytes)
    this.#held += bytes
  }

  giveBack(holder: Holder, bytes: number): void {
    const left = (this.#byHolder.get(holder) ?? 0) - bytes
    if (left > 0) this.#byHolder.set(holder, left)
    else this.#byHolder.delete(holder)
    this.#held -= bytes
  }
}
