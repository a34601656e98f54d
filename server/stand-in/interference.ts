import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from 'koa'
import { ApiError } from '../../domain/errors.ts'
import type { Intercept } from '../app.ts'
import { RateLimits } from '../rate-limit.ts'
import { stateOf } from '../request-state.ts'
import { errorBody } from '../respond.ts'
import { OWN_USER_AGENT } from './api-client.ts'
import { type Failure, Failures, failureOf } from './failures.ts'
import type { MovableClock } from './movable-clock.ts'

const REGISTRATION = 'register-queue'

/** Whether the call comes from the test itself, not from the client under test. */
export function isOwn(ctx: Context): boolean {
  return ctx.get('User-Agent') === OWN_USER_AGENT
}

/** Whether the call is a poll that waits for events: its answer comes after the work. */
function isParked(ctx: Context): boolean {
  return ctx.respond === false && !ctx.res.closed
}

interface Listener {
  /** A call waits here. */
  held(ctx: Context): void
  /** A slow call has moved the clock. */
  moved(): void
  /** A queue is about to be registered. */
  registering(): Promise<unknown>
}

/** Applies failures and limits to the calls of a client. */
export class Interference {
  readonly #clock: MovableClock
  readonly #tell: Listener
  #failures = new Failures()
  #limits: RateLimits | undefined
  /** Aborted when the server stops, so that nothing waits any longer. */
  #waiting = new AbortController()

  constructor(clock: MovableClock, tell: Listener) {
    this.#clock = clock
    this.#tell = tell
  }

  failNext(failure: Failure): void {
    this.#failures.add(failure)
  }

  /** @param callsAMinute of each account; null for no limit @throws {RangeError} */
  limitRates(callsAMinute: number | null): void {
    if (callsAMinute !== null && !(Number.isInteger(callsAMinute) && callsAMinute >= 0)) {
      throw new RangeError('The calls a minute are a whole number, or null for no limit')
    }
    this.#limits =
      callsAMinute === null ? undefined : new RateLimits(this.#clock, { count: callsAMinute, windowSeconds: 60 })
  }

  /** Releases all waiting calls, because the server stops. */
  hurry(): void {
    this.#waiting.abort()
  }

  /** The server is back. */
  begin(): void {
    this.#waiting = new AbortController()
  }

  /** Removes all failures and limits. */
  clear(): void {
    this.#failures = new Failures()
    this.#limits = undefined
  }

  readonly intercept: Intercept = async (ctx, operationId, work) => {
    if (isOwn(ctx)) return work()
    const { actor } = stateOf(ctx)
    if (this.#limits && actor) ctx.set(this.#limits.callBy(actor.id))
    const failure = this.#failures.next(operationId)
    if (failure && (await this.#fail(ctx, failure, work))) return
    if (operationId === REGISTRATION) await this.#tell.registering()
    await work()
  }

  /** @returns whether the call is finished */
  async #fail(ctx: Context, failure: Failure, work: () => Promise<void>): Promise<boolean> {
    const { drop, delay: ms, slow } = failure
    if (ms !== undefined) {
      this.#tell.held(ctx)
      await delay(ms, undefined, { signal: this.#waiting.signal }).catch(() => undefined)
    }
    if (slow !== undefined) {
      await this.#clock.hasten(slow, async () => {
        await work()
        if (!isParked(ctx)) return
        this.#tell.held(ctx)
        await new Promise((resolve) => ctx.res.once('close', resolve))
      })
      this.#tell.moved()
      return true
    }
    if (drop) {
      // A refusal is dropped like any other answer.
      if (drop === 'answer') await work().catch(() => undefined)
      if (isParked(ctx)) {
        ctx.res.writeHead = () => {
          ctx.req.socket.destroy()
          return ctx.res
        }
        return true
      }
      ctx.respond = false
      ctx.req.socket.destroy()
      return true
    }
    const sent = new URLSearchParams(`${ctx.querystring}&${ctx.request.rawBody ?? ''}`)
    const answer = failureOf(failure, sent.get('queue_id') ?? '')
    if (answer === undefined) return false
    if (answer instanceof ApiError) {
      ctx.set({ ...answer.headers, 'Content-Type': 'application/json' })
      ctx.status = answer.status
      ctx.body = errorBody(answer)
    } else {
      ctx.status = answer.status
      ctx.type = 'text/html'
      ctx.body = answer.html
    }
    return true
  }
}
