import type { Allowance } from '../domain/allowance.ts'
import type { Clock } from '../domain/clock.ts'
import { AuthenticationFailedError, RateLimitHitError, WrongPasswordError } from '../domain/errors.ts'
import {
  API_CALLS_PER_ADDRESS,
  API_CALLS_PER_USER,
  EVENT_BYTES_PER_USER,
  FAILED_LOGINS_PER_USERNAME,
  IMAGE_MS_PER_USER,
  MOVED_MESSAGES_PER_USER,
  type RateLimit,
  RENDERING_MS_PER_USER,
  REPORTS_PER_USER,
  STARTS_PER_ADDRESS,
} from '../domain/limits.ts'
import { emailKey } from '../domain/text/text-keys.ts'
import { MAX_EMAIL_LENGTH } from '../domain/users/emails.ts'
import { addressKey } from './traffic/connections.ts'
import { type Standing, WindowCounter } from './window-counter.ts'

/** Rate limit headers of an answer (LIMIT-20). */
export type RateLimitHeaders = Readonly<
  Record<'X-RateLimit-Limit' | 'X-RateLimit-Remaining' | 'X-RateLimit-Reset', string>
>

/** Counts calls and failed log-ins in this process (LIMIT-18 to LIMIT-20). */
export class RateLimits {
  readonly #clock: Clock
  readonly #perUser: WindowCounter
  readonly #perAddress: WindowCounter
  readonly #startsPerAddress: WindowCounter
  readonly #failedLogins: WindowCounter
  /** The end of the latest attempt of each account that is logging in. */
  readonly #latestLogins = new Map<string, Promise<void>>()
  readonly #rendering: WindowCounter
  readonly #images: WindowCounter
  readonly #moves: WindowCounter
  readonly #events: WindowCounter
  readonly #reports: WindowCounter

  constructor(clock: Clock, callsPerUser: RateLimit = API_CALLS_PER_USER) {
    this.#clock = clock
    this.#perUser = new WindowCounter(callsPerUser, clock)
    this.#perAddress = new WindowCounter(API_CALLS_PER_ADDRESS, clock)
    this.#startsPerAddress = new WindowCounter(STARTS_PER_ADDRESS, clock)
    this.#failedLogins = new WindowCounter(FAILED_LOGINS_PER_USERNAME, clock)
    this.#rendering = new WindowCounter(RENDERING_MS_PER_USER, clock)
    this.#images = new WindowCounter(IMAGE_MS_PER_USER, clock)
    this.#moves = new WindowCounter(MOVED_MESSAGES_PER_USER, clock)
    this.#events = new WindowCounter(EVENT_BYTES_PER_USER, clock)
    this.#reports = new WindowCounter(REPORTS_PER_USER, clock)
  }

  /** @throws {RateLimitHitError} */
  callBy(userId: number): RateLimitHeaders {
    return this.#counted(this.#perUser, String(userId))
  }

  /** Counts a call without credentials, or with wrong ones. @throws {RateLimitHitError} */
  callFrom(address: string): RateLimitHeaders {
    return this.#counted(this.#perAddress, addressKey(address))
  }

  /** Counts a call that every client makes once when it starts. @throws {RateLimitHitError} */
  startFrom(address: string): RateLimitHeaders {
    return this.#counted(this.#startsPerAddress, addressKey(address))
  }

  /**
   * Tries a password of an account, after the attempts that came before: only failures count, and attempts that arrive
   * together must not evade the limit.
   *
   * @throws {RateLimitHitError} after too many failures for this account
   */
  async logIn<T>(username: string, attempt: () => Promise<T>): Promise<T> {
    // The name as it is looked up. No address is longer, and longer keys would only fill memory.
    const key = emailKey(username.trim()).slice(0, MAX_EMAIL_LENGTH)
    const failures = allowance(this.#failedLogins, key)
    const before = this.#latestLogins.get(key)
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#latestLogins.set(key, ended)
    await before
    try {
      failures.check()
      return await attempt()
    } catch (err) {
      if (err instanceof AuthenticationFailedError || err instanceof WrongPasswordError) failures.spend(1)
      throw err
    } finally {
      if (this.#latestLogins.get(key) === ended) this.#latestLogins.delete(key)
      end()
    }
  }

  /**
   * Allowance for milliseconds of rendering. Work that has begun is finished, so its last part may exceed the limit.
   */
  rendering(userId: number): Allowance {
    return allowance(this.#rendering, String(userId))
  }

  /** Allowance for milliseconds of image processing. The last image may exceed the limit. */
  images(userId: number): Allowance {
    return allowance(this.#images, String(userId))
  }

  /** Allowance for moved messages. The last move may exceed the limit. */
  moves(userId: number): Allowance {
    return allowance(this.#moves, String(userId))
  }

  /** Allowance for bytes of events. The last request may exceed the limit. */
  events(userId: number): Allowance {
    return allowance(this.#events, String(userId))
  }

  /** Allowance for reported messages. */
  reports(userId: number): Allowance {
    return allowance(this.#reports, String(userId))
  }

  #counted(counter: WindowCounter, key: string): RateLimitHeaders {
    const standing = counter.add(key)
    const headers = this.#headers(counter, standing)
    if (standing.isOver) throw new RateLimitHitError(standing.msLeft / 1000, headers)
    return headers
  }

  #headers({ limit }: WindowCounter, { remaining, msLeft }: Standing): RateLimitHeaders {
    return {
      'X-RateLimit-Limit': String(limit.count),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(Math.ceil((this.#clock.now() + msLeft) / 1000)),
    }
  }
}

function allowance(counter: WindowCounter, key: string): Allowance {
  return {
    check: () => {
      const { remaining, msLeft } = counter.add(key, 0)
      if (remaining === 0) throw new RateLimitHitError(msLeft / 1000)
    },
    spend: (amount) => {
      counter.add(key, amount)
    },
  }
}
