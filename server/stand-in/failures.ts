import { readFileSync } from 'node:fs'
import {
  ApiError,
  BadEventQueueIdError,
  InvalidApiKeyError,
  RateLimitHitError,
  UnauthorizedError,
} from '../../domain/errors.ts'
import type { Input } from '../../generated/operations.ts'
import { operations } from '../operations.generated.ts'

type Named = Input<'fail-next'>

/** A failure for calls of the client under test. */
export interface Failure {
  /** `operationId` of the contract, such as `send-message`; absent for any call. */
  readonly operation?: NonNullable<Named['operation']>
  /** Status of the answer. 502, 503 and 504 come as a proxy's page, everything else as JSON of the API. */
  readonly status?: number
  /** Code of the answer, such as `RATE_LIMIT_HIT`, which implies a status unless one is given. */
  readonly code?: NonNullable<Named['code']>
  /** Only with 429: seconds after which the client may try again; 1 by default. */
  readonly retryAfter?: number
  /**
   * Closes the connection without an answer: `request` (or true) before anything is done, `answer` after the work, so
   * that the client cannot know the result.
   */
  readonly drop?: boolean | 'request' | 'answer'
  /** Milliseconds of real time before the call goes on, fails or is dropped. */
  readonly delay?: number
  /** The server's clock runs this many times faster during the call, so that time limits expire. */
  readonly slow?: number
  /** Number of calls; 1 by default. */
  readonly times?: number
}

/** A text instead of the API's JSON. */
export interface Page {
  readonly status: number
  readonly html: string
}

const REASONS: Readonly<Record<number, string>> = {
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Time-out',
}

/** A refusal whose status and fields are those of the contract's example. */
class MadeUpError extends ApiError {
  readonly code: string
  override readonly status: number
  override readonly data: Readonly<Record<string, unknown>>
  constructor(code: string) {
    super(code)
    const { status = 400, example: { msg: _, ...data } = {} } = errors()[code] ?? {}
    this.code = code
    this.status = status
    this.data = data
  }
}

/** What the contract says about each code. */
type Errors = Readonly<Record<string, { readonly status: number; readonly example: Readonly<Record<string, unknown>> }>>

let known: Errors | undefined

function errors(): Errors {
  known ??= JSON.parse(readFileSync(new URL('../../generated/testing.json', import.meta.url), 'utf8')).errors as Errors
  return known
}

/** The failures still to come, in the order in which they were requested. */
export class Failures {
  #waiting: { readonly failure: Failure; left: number }[] = []

  /** @throws {RangeError} if the failure would have no effect */
  add(failure: Failure): void {
    const { operation, status, code, drop, delay, slow, times = 1, retryAfter = 1, ...unknown } = failure
    // A caller in JavaScript may pass anything.
    const [misspelt] = Object.keys(unknown)
    if (misspelt !== undefined) throw new RangeError(`A failure has no '${misspelt}'`)
    for (const [name, value, all] of [
      ['operation', operation, operations],
      ['code', code, errors()],
    ] as const) {
      if (value !== undefined && !Object.hasOwn(all, value)) throw new RangeError(`There is no ${name} '${value}'`)
    }
    if (failure.retryAfter !== undefined && status !== 429 && code !== 'RATE_LIMIT_HIT') {
      throw new RangeError('retryAfter (over HTTP retry_after) goes with the status 429 or the code RATE_LIMIT_HIT')
    }
    if (![undefined, true, false, 'request', 'answer'].includes(drop)) {
      throw new RangeError("drop is true, 'request' or 'answer'")
    }
    for (const [name, value, least, most] of [
      ['delay', delay, 0, 86_400_000],
      ['retryAfter', retryAfter, 0, 1_000_000],
      ['slow', slow, 2, 1_000_000_000],
      ['times', times, 1, 1_000_000],
    ] as const) {
      if (value !== undefined && !(typeof value === 'number' && value >= least && value <= most)) {
        throw new RangeError(`${name} is a number from ${least} to ${most}`)
      }
    }
    if (status === undefined && code === undefined && !drop && delay === undefined && slow === undefined) {
      throw new RangeError('A failure has a status, a code, drop, delay or slow')
    }
    if (slow !== undefined && (drop || status !== undefined || code !== undefined)) {
      throw new RangeError('A slow call goes on: it has neither drop nor status nor code')
    }
    if (drop && (status !== undefined || code !== undefined)) {
      throw new RangeError('A dropped call has no answer, so it has neither status nor code')
    }
    if (status !== undefined && !(Number.isInteger(status) && status >= 400 && status <= 599)) {
      throw new RangeError(`${status} is no status of a failure: expected 400 to 599`)
    }
    if (!Number.isInteger(times)) throw new RangeError('times is a whole number')
    this.#waiting.push({ failure, left: times })
  }

  /** Returns the failure for this call, and uses it up once. */
  next(operation: string): Failure | undefined {
    const found = this.#waiting.find(({ failure }) => (failure.operation ?? operation) === operation)
    if (!found) return undefined
    found.left -= 1
    if (found.left === 0) this.#waiting = this.#waiting.filter((one) => one !== found)
    return found.failure
  }
}

/** Returns the error to answer; undefined if the call goes on. @param queueId from the client */
export function failureOf({ status, code, retryAfter = 1 }: Failure, queueId: string): ApiError | Page | undefined {
  if (status === undefined && code === undefined) return undefined
  const reason = REASONS[status ?? 0]
  if (reason !== undefined && code === undefined) {
    const html = `<html><head><title>${status} ${reason}</title></head><body><h1>${status} ${reason}</h1></body></html>\n`
    return { status: status ?? 0, html }
  }
  const answered = code ?? codeOf(status ?? 0)
  // Uses other words than the server, so that clients that parse the words are noticed.
  const message = `A stand-in answers ${answered}`
  const error = Object.assign(errorOf(answered, { retryAfter, queueId }), { message })
  return status === undefined || error.status === status ? error : Object.assign(error, { status })
}

function codeOf(status: number): string {
  if (status === 401) return 'UNAUTHORIZED'
  if (status === 429) return 'RATE_LIMIT_HIT'
  return status >= 500 ? 'INTERNAL_SERVER_ERROR' : 'BAD_REQUEST'
}

interface Details {
  readonly retryAfter: number
  readonly queueId: string
}

/** Returns the server's own error if its headers or fields depend on the call. */
function errorOf(code: string, { retryAfter, queueId }: Details): ApiError {
  switch (code) {
    case 'RATE_LIMIT_HIT':
      return new RateLimitHitError(retryAfter)
    case 'BAD_EVENT_QUEUE_ID':
      return new BadEventQueueIdError(queueId)
    case 'UNAUTHORIZED':
      return new UnauthorizedError()
    case 'INVALID_API_KEY':
      return new InvalidApiKeyError()
    default:
      return new MadeUpError(code)
  }
}
