import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
import type { Clock } from '../domain/clock.ts'
import { RateLimitHitError } from '../domain/errors.ts'
import {
  API_CALLS_PER_ADDRESS,
  API_CALLS_PER_USER,
  FAILED_LOGINS_PER_USERNAME,
  type RateLimit,
} from '../domain/limits.ts'

/** Headers of an answer that a limit applied to (LIMIT-20). */
export type RateLimitHeaders = Readonly<
  Record<'X-RateLimit-Limit' | 'X-RateLimit-Remaining' | 'X-RateLimit-Reset', string>
>

/** Counts calls and failed log-ins in this process (LIMIT-18, LIMIT-19; facts/limits.md, "Rate limits"). */
export class RateLimits {
  readonly #clock: Clock
  readonly #perUser = limiter(API_CALLS_PER_USER)
  readonly #perAddress = limiter(API_CALLS_PER_ADDRESS)
  readonly #failedLogins = limiter(FAILED_LOGINS_PER_USERNAME)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws {RateLimitHitError} */
  callBy(userId: number): Promise<RateLimitHeaders> {
    return this.#consume(this.#perUser, API_CALLS_PER_USER, String(userId))
  }

  /** A call without credentials, or with wrong ones. @throws {RateLimitHitError} */
  callFrom(address: string): Promise<RateLimitHeaders> {
    return this.#consume(this.#perAddress, API_CALLS_PER_ADDRESS, address)
  }

  /**
   * Counts a log-in as failed before it is tried, so that many tried at once are no way around the limit.
   * @throws {RateLimitHitError} when this account was failed at too often
   */
  async beginLogin(username: string): Promise<void> {
    try {
      await this.#failedLogins.consume(username)
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason
      // What was not tried did not fail.
      await this.forgiveLogin(username)
      throw hit(reason)
    }
  }

  /** Takes back what beginLogin counted. */
  async forgiveLogin(username: string): Promise<void> {
    await this.#failedLogins.reward(username)
  }

  async #consume(counter: RateLimiterMemory, limit: RateLimit, key: string): Promise<RateLimitHeaders> {
    try {
      return this.#headers(await counter.consume(key), limit)
    } catch (reason) {
      if (reason instanceof RateLimiterRes) throw hit(reason, this.#headers(reason, limit))
      throw reason
    }
  }

  #headers({ remainingPoints, msBeforeNext }: RateLimiterRes, limit: RateLimit): RateLimitHeaders {
    return {
      'X-RateLimit-Limit': String(limit.count),
      'X-RateLimit-Remaining': String(remainingPoints),
      'X-RateLimit-Reset': String(Math.ceil((this.#clock.now() + msBeforeNext) / 1000)),
    }
  }
}

function limiter({ count, windowSeconds }: RateLimit): RateLimiterMemory {
  return new RateLimiterMemory({ points: count, duration: windowSeconds })
}

function hit({ msBeforeNext }: RateLimiterRes, headers?: RateLimitHeaders): RateLimitHitError {
  return new RateLimitHitError(msBeforeNext / 1000, headers)
}
