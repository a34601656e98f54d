import { isWithinShare } from '../../domain/share.ts'
import type { Party } from '../../event-loop/loop-turns.ts'

/** Bytes that many callers hold at the same time, each within a share. */
export class Shares {
  readonly #total: number
  readonly #byParty = new Map<Party, number>()
  #held = 0

  /** @param total bytes */
  constructor(total: number) {
    this.#total = total
  }

  /** Bytes held by all together. */
  get held(): number {
    return this.#held
  }

  holdsNothing(party: Party): boolean {
    return !this.#byParty.has(party)
  }

  /** Whether `party` may have `bytes` more. */
  hasRoom(party: Party, bytes: number): boolean {
    return isWithinShare((this.#byParty.get(party) ?? 0) + bytes, this.#total - this.#held - bytes)
  }

  /** Counts the bytes, even if there is no room. */
  take(party: Party, bytes: number): void {
    this.#byParty.set(party, (this.#byParty.get(party) ?? 0) + bytes)
    this.#held += bytes
  }

  giveBack(party: Party, bytes: number): void {
    const left = (this.#byParty.get(party) ?? 0) - bytes
    if (left > 0) this.#byParty.set(party, left)
    else this.#byParty.delete(party)
    this.#held -= bytes
  }
}
