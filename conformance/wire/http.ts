import { setImmediate as nextTurn } from 'node:timers/promises'
import { jsonIn } from './json.ts'
import { type Send, sendByNode } from './node-sender.ts'
import type { Pace } from './pace.ts'

/** The caller. Without `login` no credentials are sent. */
export interface Login {
  readonly email: string
  readonly apiKey: string
}

export type Pairs = readonly (readonly [name: string, value: string])[]

/** A request as it is sent. */
export interface Request {
  readonly method: string
  /** From the root of the server, with the query. */
  readonly path: string
  readonly as: Login | undefined
  /** The caller's name in reports, such as `member`. */
  readonly caller: string
  /** Whether the credentials are wrong; servers count such a request like one without credentials. */
  readonly isStranger?: boolean
  readonly form?: Pairs
  readonly file?: { readonly name: string; readonly fileName: string; readonly content: string }
  /** Replaces form and file. */
  readonly raw?: { readonly type: string; readonly body: string }
  /** Milliseconds after which the suite stops waiting for the answer; default 120,000. */
  readonly timeoutMs?: number
  /** `act` is called once the server has kept the request this long, not counting waits for rate limits. */
  readonly kept?: { readonly forMs: number; readonly act: () => void }
  /** `Range`, such as `bytes=0-9`. */
  readonly range?: string
}

/** A request and its answer. */
export interface Exchange {
  readonly url: string
  readonly request: Request
  /** By `performance.now()`: before it was sent, and when the whole answer had arrived. */
  readonly sentAt: number
  readonly answeredAt: number
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON of the answer; undefined if it is not JSON. Checks look into answers of every shape. */
  // biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
  readonly body: any
}

/** No answer came at all. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

const usualTimeoutMs = 120_000
const mostRetries = 5
/** Longer than an event takes on a busy server, shorter than users wait. */
export const usualPatienceMs = 20_000

export interface HttpOptions {
  /** Replaces Node's client. */
  readonly sender?: Send | undefined
  /** Once it is aborted, nothing is sent until `resume`. */
  readonly signal?: AbortSignal | undefined
  /** Maximum time for an event, in milliseconds; default 20,000. */
  readonly patienceMs?: number | undefined
  /** Called with every answer, including those to requests that are repeated. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
}

/** Sends requests to one server, within its rate limits. */
export class Http {
  readonly url: string
  readonly patienceMs: number
  requests = 0
  /** Time that the fastest answer took so far, in milliseconds. */
  fastestMs = Number.POSITIVE_INFINITY
  readonly #pace: Pace
  #signal: AbortSignal | undefined
  /** Requests that may change something on the server, even if nobody waits for their answers. */
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

  /**
   * How long to repeat a question whose answer may take time, in milliseconds; 0 for recorded answers, which never
   * change.
   */
  get waitMs(): number {
    return this.#sender.givesUp ? 0 : this.patienceMs
  }

  get isLimited(): boolean {
    return this.#pace.isLimited
  }

  /** Number of requests that the account can send without waiting. */
  left(email: string): number {
    return this.#pace.left(email)
  }

  /**
   * From now on the signal aborts no requests, so that the run can remove what it created. When this resolves, all of
   * that is known.
   */
  async resume(): Promise<void> {
    while (this.#writes.size > 0) await Promise.allSettled(this.#writes)
    await nextTurn() // callers that waited for these answers must not go on
    this.#signal = undefined
  }

  /**
   * @throws {UnreachableError} if there is no answer, or the signal ended it; after a 429 the request is sent again
   * when the server allows it
   */
  async send(request: Request): Promise<Exchange> {
    const account = request.isStranger ? '' : (request.as?.email ?? '')
    for (let retries = 0; ; retries += 1) {
      await this.#pace.turn(account, this.#signal)
      const exchange = await this.sendOnce(request)
      const waitMs = this.#pace.learn(account, exchange)
      if (waitMs === undefined || retries === mostRetries) return exchange
    }
  }

  /** Ignores rate limits, for an account that nothing else uses. @throws {UnreachableError} if there is no answer */
  async sendOnce(request: Request): Promise<Exchange> {
    if (request.method === 'GET') return this.#exchange(request, this.#signal)
    // A request that was cut off might still do its work after the cleaning up.
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
      this.fastestMs = Math.min(this.fastestMs, answeredAt - sentAt)
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

/** Method, headers and body of `request`, for `fetch` or another sender. */
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
