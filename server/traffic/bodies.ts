import type { Context } from 'koa'
import { type ApiError, BadRequestError, BodyTooSlowError, RateLimitHitError } from '../../domain/errors.ts'
import type { Party } from '../../event-loop/loop-turns.ts'
import { addressKey } from './connections.ts'
import { Shares } from './shares.ts'

/** Maximum size of a form. Forms are text: even the longest message, escaped in the worst way, is a tenth of this. */
export const MAX_FORM_BYTES = 1024 * 1024
/** Limit for operations without credentials: a name and a password are a tenth of this. */
export const MAX_ANONYMOUS_BYTES = 16 * 1024

/** A file that arrives more slowly than this is dropped. */
const MIN_FILE_BYTES_PER_SECOND = 16 * 1024
/** Bytes in memory of a file that arrives. */
const FILE_BYTES = 256 * 1024
const RETRY_SECONDS = 1
const MIB = 1024 * 1024

export interface BodyLimits {
  /** Limit for bodies in memory, for all accounts together, and again for all requests without credentials. */
  readonly bodiesMib: number
  /** Timeout for the headers of a request, and again for a form. */
  readonly receiveSeconds: number
}

/** Reasons to stop reading a body. */
export type BodyRefusal = 'slow' | 'full'

/** Limits bodies in memory, from their first byte until their request is answered, by size, by party and by time. */
export class Bodies {
  readonly #ofAccounts: Shares
  readonly #ofNobody: Shares
  private readonly receiveMs: number
  private readonly onRefused: (why: BodyRefusal) => void

  constructor({ bodiesMib, receiveSeconds }: BodyLimits, onRefused: (why: BodyRefusal) => void) {
    this.#ofAccounts = new Shares(bodiesMib * MIB)
    this.#ofNobody = new Shares(bodiesMib * MIB)
    this.receiveMs = receiveSeconds * 1000
    this.onRefused = onRefused
  }

  /** Bytes in memory. */
  get held(): number {
    return this.#ofAccounts.held + this.#ofNobody.held
  }

  /** The body that arrives for this request; end it with the request. */
  body(ctx: Context, accountId: number | undefined): ArrivingBody {
    const { receiveMs, onRefused } = this
    return accountId === undefined
      ? new ArrivingBody(ctx, MAX_ANONYMOUS_BYTES, addressKey(ctx.ip), { shares: this.#ofNobody, receiveMs, onRefused })
      : new ArrivingBody(ctx, MAX_FORM_BYTES, accountId, { shares: this.#ofAccounts, receiveMs, onRefused })
  }
}

interface BodyRules {
  readonly shares: Shares
  readonly receiveMs: number
  readonly onRefused: (why: BodyRefusal) => void
}

/** The body of one request. */
export class ArrivingBody {
  /** Maximum size of a form. */
  readonly maxBytes: number
  /** The sender. */
  readonly party: Party
  readonly #ctx: Context
  readonly #rules: BodyRules
  #bytes = 0

  constructor(ctx: Context, maxBytes: number, party: Party, rules: BodyRules) {
    this.#ctx = ctx
    this.maxBytes = maxBytes
    this.party = party
    this.#rules = rules
  }

  /**
   * Returns the result of `read`, which reads a whole form into memory.
   *
   * @throws {BodyTooSlowError}
   * @throws {RateLimitHitError} if this account or address has too much in memory
   */
  async form<T>(read: () => Promise<T>): Promise<T> {
    // The unpacked size is known only after unpacking.
    const isPacked = this.#ctx.req.headers['content-encoding'] !== undefined
    if (isPacked && !this.#take(this.maxBytes)) throw this.#refusal('full')
    return this.#whileArriving(read, Number.POSITIVE_INFINITY, (length) => this.#take(length))
  }

  /**
   * Returns the result of `read`, which reads a file and keeps a part of it in memory. `read` must clean up when its
   * signal is aborted.
   *
   * @throws as `form`
   */
  async file<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (!this.#take(FILE_BYTES)) throw this.#refusal('full')
    const abortion = new AbortController()
    const arriving = this.#whileArriving(
      () => read(abortion.signal),
      MIN_FILE_BYTES_PER_SECOND,
      () => true,
    )
    arriving.catch((err: unknown) => abortion.abort(err))
    return arriving
  }

  /** Call it when the request is over and nothing of the body is in memory. */
  end(): void {
    if (this.#bytes > 0) this.#rules.shares.giveBack(this.party, this.#bytes)
    this.#bytes = 0
  }

  #take(bytes: number): boolean {
    if (!this.#rules.shares.hasRoom(this.party, bytes)) return false
    this.#rules.shares.take(this.party, bytes)
    this.#bytes += bytes
    return true
  }

  /** Closes the connection with the answer, because anything else that arrives would fill memory again. */
  #refusal(why: BodyRefusal): ApiError {
    this.#rules.onRefused(why)
    this.#ctx.set('Connection', 'close')
    return why === 'slow' ? new BodyTooSlowError() : new RateLimitHitError(RETRY_SECONDS)
  }

  /** @param bytesPerSecond number of arriving bytes that extend the timeout by a second */
  #whileArriving<T>(read: () => Promise<T>, bytesPerSecond: number, isTaken: (bytes: number) => boolean): Promise<T> {
    const { req } = this.#ctx
    const { receiveMs } = this.#rules
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const start = performance.now()
    let received = 0
    const end = (): void => {
      clearTimeout(timer)
      req.off('data', count)
      req.off('aborted', leave)
    }
    const fail = (why: BodyRefusal): void => {
      end()
      req.pause()
      reject(this.#refusal(why))
    }
    // The code that unpacks a body does not notice that nothing more will arrive.
    const leave = (): void => {
      end()
      reject(new BadRequestError('The request body cannot be read'))
    }
    const count = (chunk: Buffer): void => {
      received += chunk.length
      if (!isTaken(chunk.length)) fail('full')
    }
    const timeOut = (): void => {
      const msLeft = receiveMs + (received / bytesPerSecond) * 1000 - (performance.now() - start)
      if (msLeft > 0) timer = setTimeout(timeOut, msLeft)
      else fail('slow')
    }
    let timer = setTimeout(timeOut, receiveMs)
    read().then(
      (value) => {
        end()
        resolve(value)
      },
      (err: unknown) => {
        end()
        reject(err)
      },
    )
    req.on('data', count)
    req.on('aborted', leave)
    return promise
  }
}
