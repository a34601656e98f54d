import { readFileSync } from 'node:fs'
import {
  ApiError,
  AuthenticationFailedError,
  BadEventQueueIdError,
  BadRequestError,
  InternalServerError,
  InvalidApiKeyError,
  RateLimitHitError,
  UnauthorizedError,
  UserDeactivatedError,
} from '../../domain/errors.ts'
import type { Input } from '../../generated/operations.ts'

type Named = Input<'fail-next'>

/** What is to go wrong with calls of the client that is tested. */
export interface Failure {
  /** The `operationId` of the contract, such as `send-message`; absent: whatever is called next. */
  readonly operation?: NonNullable<Named['operation']>
  /** Of the answer. 502, 503 and 504 come as a proxy's page, everything else as the API's JSON. */
  readonly status?: number
  /** Of the answer, such as `RATE_LIMIT_HIT`; its status follows from it unless that is given, too. */
  readonly code?: NonNullable<Named['code']>
  /** With a 429 alone: seconds after which the client may try again; one by default. */
  readonly retryAfter?: number
  /**
   * The connection is closed without an answer: `request` (or true) before anything was done, `answer` when the work is done,
   * so that the client cannot know of it.
   */
  readonly drop?: boolean | 'request' | 'answer'
  /** Milliseconds, of the machine's clock, before the call goes on, fails or is dropped. */
  readonly delay?: number
  /** The server's clock runs so many times as fast while it works on the call: what has a limit of time runs out of it. */
  readonly slow?: number
  /** How many calls; one by default. */
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

/** A refusal that has no class of its own here: its fields are missing. */
class MadeUpError extends ApiError {
  readonly code: string
  override readonly status: number
  constructor(code: string, status: number) {
    super(code)
    this.code = code
    this.status = status
  }
}

interface Described {
  readonly requestBody: {
    readonly content: Readonly<
      Record<
        string,
        { readonly schema: { readonly properties: Readonly<Record<string, { readonly enum?: string[] }>> } }
      >
    >
  }
}

let failNext: Described | undefined

/** What the contract lets `operation` or `code` be. */
function namesOf(parameter: string): readonly string[] {
  failNext ??= JSON.parse(readFileSync(new URL('../../generated/testing.json', import.meta.url), 'utf8'))['3.1'].paths[
    '/testing/fail-next'
  ].post as Described
  const [form] = Object.values(failNext.requestBody.content)
  return form?.schema.properties[parameter]?.enum ?? []
}

/** The failures that are still to come, in the order in which they were asked for. */
export class Failures {
  #waiting: { readonly failure: Failure; left: number }[] = []

  /** @throws {RangeError} for what nothing can follow from */
  add(failure: Failure): void {
    const { operation, status, code, drop, delay, slow, times = 1, retryAfter = 1, ...unknown } = failure
    // A program in JavaScript may say anything.
    const [misspelt] = Object.keys(unknown)
    if (misspelt !== undefined) throw new RangeError(`A failure has no '${misspelt}'`)
    for (const [name, value] of Object.entries({ operation, code })) {
      if (value !== undefined && !namesOf(name).includes(value)) throw new RangeError(`There is no ${name} '${value}'`)
    }
    if (failure.retryAfter !== undefined && status !== 429 && code !== 'RATE_LIMIT_HIT') {
      throw new RangeError('retryAfter (over HTTP retry_after) goes with the status 429 or the code RATE_LIMIT_HIT')
    }
    if (![undefined, true, false, 'request', 'answer'].includes(drop)) {
      throw new RangeError("drop is true, 'request' or 'answer'")
    }
    if (![delay ?? 0, retryAfter].every((amount) => typeof amount === 'number' && amount >= 0)) {
      throw new RangeError('delay and retryAfter are numbers from 0 on')
    }
    if (slow !== undefined && !(typeof slow === 'number' && slow > 1)) throw new RangeError('slow is a number above 1')
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
    if (!(Number.isInteger(times) && times > 0)) throw new RangeError('times is a whole number from 1 on')
    this.#waiting.push({ failure, left: times })
  }

  /** The failure that this call meets, which is then used up once. */
  next(operation: string): Failure | undefined {
    const found = this.#waiting.find(({ failure }) => (failure.operation ?? operation) === operation)
    if (!found) return undefined
    found.left -= 1
    if (found.left === 0) this.#waiting = this.#waiting.filter((one) => one !== found)
    return found.failure
  }
}

/** What the client is answered; undefined where the call goes on. @param queueId that the client named */
export function failureOf({ status, code, retryAfter = 1 }: Failure, queueId: string): ApiError | Page | undefined {
  if (status === undefined && code === undefined) return undefined
  const reason = REASONS[status ?? 0]
  if (reason !== undefined && code === undefined) {
    const html = `<html><head><title>${status} ${reason}</title></head><body><h1>${status} ${reason}</h1></body></html>\n`
    return { status: status ?? 0, html }
  }
  const answered = code ?? codeOf(status ?? 0)
  // Not in the words of the server: a client that decides by these shows it.
  const message = `A stand-in answers ${answered}`
  const error = Object.assign(errorOf(answered, status, { retryAfter, queueId }), { message })
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

function errorOf(code: string, status: number | undefined, { retryAfter, queueId }: Details): ApiError {
  switch (code) {
    case 'RATE_LIMIT_HIT':
      return new RateLimitHitError(retryAfter)
    case 'BAD_EVENT_QUEUE_ID':
      return new BadEventQueueIdError(queueId)
    case 'UNAUTHORIZED':
      return new UnauthorizedError()
    case 'INVALID_API_KEY':
      return new InvalidApiKeyError()
    case 'USER_DEACTIVATED':
      return new UserDeactivatedError()
    case 'AUTHENTICATION_FAILED':
      return new AuthenticationFailedError()
    case 'INTERNAL_SERVER_ERROR':
      return new InternalServerError('made up')
    case 'BAD_REQUEST':
      return new BadRequestError(code)
    default:
      return new MadeUpError(code, status ?? 400)
  }
}
