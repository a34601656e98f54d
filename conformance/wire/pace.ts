import { setTimeout as delay } from 'node:timers/promises'

const windowMs = 60_000
/** Requests in a window, a little below the limit of servers of this API (LIMIT-18). */
const mostOfAccount = 190
const mostOfNobody = 95
/** How long to wait after a 429 that states no time. */
const defaultWaitMs = 5000

function mostOf(account: string): number {
  return account === '' ? mostOfNobody : mostOfAccount
}

/** The parts of an answer that tell about rate limits. */
interface Seen {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: raw JSON
  readonly body: any
}

/** Keeps an account within the server's rate limits, once an answer has shown that there are any. */
export class Pace {
  #limited = false
  readonly #sent = new Map<string, number[]>()
  readonly #closedUntil = new Map<string, number>()
  readonly #now: () => number
  readonly #wait: (ms: number, signal?: AbortSignal) => Promise<unknown>

  constructor(
    now: () => number = Date.now,
    wait: (ms: number, signal?: AbortSignal) => Promise<unknown> = (ms, signal) => delay(ms, undefined, { signal }),
  ) {
    this.#now = now
    this.#wait = wait
  }

  /** Whether answers have shown rate limits. */
  get isLimited(): boolean {
    return this.#limited
  }

  /**
   * Waits until `account` (empty for nobody) may send its next request. @throws the reason of `signal` if that is
   * aborted
   */
  async turn(account: string, signal?: AbortSignal): Promise<void> {
    for (let waitMs = this.#waitMs(account); waitMs > 0; waitMs = this.#waitMs(account))
      await this.#wait(waitMs, signal)
    this.#timesOf(account).push(this.#now())
  }

  /**
   * Reads rate limits from an answer. Returns how many milliseconds the account is refused for; undefined if it is not.
   */
  learn(account: string, { status, headers, body }: Seen): number | undefined {
    const remaining = headers.get('x-ratelimit-remaining')
    if (remaining !== null || status === 429) this.#limited = true
    if (status === 429) {
      const seconds = Number(headers.get('retry-after') ?? body?.['retry-after'])
      const waitMs = Number.isFinite(seconds) ? Math.ceil(seconds * 1000) : defaultWaitMs
      this.#close(account, this.#now() + waitMs)
      return waitMs
    }
    const reset = Number(headers.get('x-ratelimit-reset'))
    if (remaining !== null && Number(remaining) <= 2 && reset > 0) {
      this.#close(account, Math.min(reset * 1000, this.#now() + windowMs))
    }
    return undefined
  }

  /** How many requests `account` can send without waiting; infinite without limits. */
  left(account: string): number {
    if (!this.#limited) return Infinity
    if (this.#waitMs(account) > 0) return 0
    return mostOf(account) - this.#timesOf(account).length
  }

  #close(account: string, until: number): void {
    this.#closedUntil.set(account, Math.max(until, this.#closedUntil.get(account) ?? 0))
  }

  #waitMs(account: string): number {
    const now = this.#now()
    const closedMs = (this.#closedUntil.get(account) ?? 0) - now
    const times = this.#timesOf(account)
    while (times[0] !== undefined && times[0] <= now - windowMs) times.shift()
    const [oldest = now] = times
    const fullMs = this.#limited && times.length >= mostOf(account) ? oldest + windowMs - now : 0
    return Math.max(closedMs, fullMs)
  }

  #timesOf(account: string): number[] {
    const times = this.#sent.get(account) ?? []
    this.#sent.set(account, times)
    return times
  }
}
