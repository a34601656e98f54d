import { setImmediate as nextTurn } from 'node:timers/promises'
import { jsonIn } from './json.ts'
import { type Send, sendByNode } from './node-sender.ts'
import type { Pace } from './pace.ts'

/** Who asks. Without `login` it is nobody: no credentials are sent. */
export interface Login {
  readonly email: string
  readonly apiKey: string
}

export type Pairs = readonly (readonly [name: string, value: string])[]

/** One request as it goes over the wire. */
export interface Request {
  readonly method: string
  /** From the root of the server, with the query. */
  readonly path: string
  readonly as: Login | undefined
  /** How reports call the caller, such as `member`. */
  readonly caller: string
  /** Of credentials that do not work: servers count such a request like one without any. */
  readonly isStranger?: boolean
  readonly form?: Pairs
  readonly file?: { readonly name: string; readonly fileName: string; readonly content: string }
  /** Instead of form and file. */
  readonly raw?: { readonly type: string; readonly body: string }
  /** Milliseconds after which no answer is waited for any more; default 120,000. */
  readonly timeoutMs?: number
  /** Once the server has kept the request that long, `act` is called. Waiting for rate limits does not count. */
  readonly kept?: { readonly forMs: number; readonly act: () => void }
  /** `Range`, such as `bytes=0-9`. */
  readonly range?: string
}

/** A request and what came back. */
export interface Exchange {
  readonly url: string
  readonly request: Request
  /** By `performance.now()`: before it was sent, and when all of the answer was there. */
  readonly sentAt: number
  readonly answeredAt: number
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON of the answer; undefined when it is none. Checks look into answers of every shape. */
  // biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
  readonly body: any
}

/** No answer came at all. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

const usualTimeoutMs = 120_000
const mostRetries = 5
/** Longer than an event takes on a busy server, shorter than patience. */
export const usualPatienceMs = 20_000

export interface HttpOptions {
  /** Instead of Node's own. */
  readonly sender?: Send | undefined
  /** Once it is aborted nothing is asked any more until `resume`. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that an event may take; default 20,000. */
  readonly patienceMs?: number | undefined
  /** Hears of every answer, including those that are asked for again. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
}

/** Sends requests to one server, no faster than it allows. */
export class Http {
  readonly url: string
  readonly patienceMs: number
  requests = 0
  readonly #pace: Pace
  #signal: AbortSignal | undefined
  /** Requests that may change something at the server, also when nobody waits for their answers. */
  readonly #writes = new Set<Promise<unknown>>()
  readonly #onExchange: ((exchange: Exchange) => void) | undefined
  readonly #sender: Send

  constructor(
    url: string,
    pace: Pace,
    { signal, patienceMs = usualPatienceMs, onExchange, sender = sendByNode }: HttpOptions = {},
  ) {
    this.url = url.replace(/\/+$/, '')
    this.#pace = pace
    this.#signal = signal
    this.#onExchange = onExchange
    this.#sender = sender
    this.patienceMs = patienceMs
  }

  /** Milliseconds to ask again for what may come by and by; 0 where answers are recorded, because nothing will come. */
  get waitMs(): number {
    return this.#sender.givesUp ? 0 : this.patienceMs
  }

  get isLimited(): boolean {
    return this.#pace.isLimited
  }

  /** How many requests the account may still send without waiting. */
  left(email: string): number {
    return this.#pace.left(email)
  }

  /** From now on the signal ends nothing: what was made is to be removed. All of it is known when this resolves. */
  async resume(): Promise<void> {
    while (this.#writes.size > 0) await Promise.allSettled(this.#writes)
    await nextTurn() // whoever waited for these answers must not go on
    this.#signal = undefined
  }

  /** @throws UnreachableError when there is no answer, or the signal ended it; a 429 is waited out as the server asks, and sent again */
  async send(request: Request): Promise<Exchange> {
    const account = request.isStranger ? '' : (request.as?.email ?? '')
    for (let retries = 0; ; retries += 1) {
      await this.#pace.turn(account, this.#signal)
      const exchange = await this.sendOnce(request)
      const waitMs = this.#pace.learn(account, exchange)
      if (waitMs === undefined || retries === mostRetries) return exchange
    }
  }

  /** Whatever the server allows: for an account that nothing else uses. @throws UnreachableError when there is no answer */
  async sendOnce(request: Request): Promise<Exchange> {
    if (request.method === 'GET') return this.#exchange(request, this.#signal)
    // Cut off, it might still do its work, later than the cleaning up.
    const write = this.#exchange(request, this.#signal?.aborted ? this.#signal : undefined)
    this.#writes.add(write)
    try {
      return await write
    } finally {
      this.#writes.delete(write)
    }
  }

  async #exchange(request: Request, signal?: AbortSignal): Promise<Exchange> {
    this.requests += 1
    const url = `${this.url}${request.path}`
    const { timeoutMs = usualTimeoutMs } = request
    // AbortSignal.timeout() would keep the request in memory until the time is over, answered or not.
    const ending = new AbortController()
    const timeout = setTimeout(() => ending.abort(new Error(`none within ${timeoutMs / 1000} s`)), timeoutMs)
    const sentAt = performance.now()
    const { kept } = request
    const timer = kept && !this.#sender.givesUp ? setTimeout(kept.act, kept.forMs) : undefined
    try {
      const end = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal
      const init = { ...fetchOptions(request), redirect: 'manual', signal: end } as const
      const response = await this.#sender(url, init, kept?.act)
      const text = await response.text()
      const { status, headers } = response
      const answeredAt = performance.now()
      const body = response.parsed ? response.parsed.body : jsonIn(text)
      const exchange = { url, request, sentAt, answeredAt, status, headers, text, body }
      this.#onExchange?.(exchange)
      return exchange
    } catch (err) {
      const cause = err instanceof Error && err.cause instanceof Error ? err.cause : err
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new UnreachableError(`${request.method} ${url} got no answer: ${reason}`, { cause: err })
    } finally {
      clearTimeout(timer)
      clearTimeout(timeout)
    }
  }
}

/** Method, headers and body of `request`, for `fetch` or for whoever sends it in another way. */
export function fetchOptions(request: Request): RequestInit {
  return { method: request.method, headers: headersOf(request), ...bodyOf(request) }
}

function headersOf({ as, raw, range }: Request): Record<string, string> {
  return {
    'User-Agent': 'ParleyConformance/1.0',
    ...(as && { Authorization: `Basic ${Buffer.from(`${as.email}:${as.apiKey}`).toString('base64')}` }),
    ...(raw && { 'Content-Type': raw.type }),
    ...(range !== undefined && { Range: range }),
  }
}

function bodyOf({ form = [], file, raw }: Request): { body?: string | URLSearchParams | FormData } {
  if (raw) return { body: raw.body }
  if (file === undefined) return form.length === 0 ? {} : { body: new URLSearchParams(form as [string, string][]) }
  const body = new FormData()
  for (const [name, value] of form) body.append(name, value)
  body.append(file.name, new File([file.content], file.fileName, { type: 'text/plain' }))
  return { body }
}
