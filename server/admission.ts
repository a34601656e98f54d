import type { Context } from 'koa'
import { ApiError, RateLimitHitError, UnauthorizedError } from '../domain/errors.ts'
import type { Actor } from '../permissions/actor.ts'
import type { Authenticator } from './authenticate.ts'
import type { ContractOperation } from './contract.ts'
import { refuseUnlessLocal } from './loopback.ts'
import type { MetricsAccess } from './metrics-access.ts'
import type { RateLimits } from './rate-limit.ts'
import { stateOf } from './request-state.ts'
import type { Connections } from './traffic/connections.ts'

/** Clients ask this first, and many of them may share an address. */
const START = 'get-server-settings'

const METRICS = 'get-metrics'

const DEVELOPMENT_LOGIN = 'dev-fetch-api-key'

/** Seconds after which a client with too many connections may try again. */
const RETRY_SECONDS = 1

interface AdmissionParts {
  readonly authenticator: Authenticator
  /** Undefined if nothing is limited. */
  readonly limits: RateLimits | undefined
  readonly connections: Connections
  readonly metrics: MetricsAccess
  readonly hasDevelopmentLogin: boolean
}

/** Authenticates the caller and applies rate limits, before any byte of a body is read. */
export class Admission {
  readonly #authenticator: Authenticator
  readonly #limits: RateLimits | undefined
  readonly #connections: Connections
  readonly #metrics: MetricsAccess
  readonly #hasDevelopmentLogin: boolean

  constructor({ authenticator, limits, connections, metrics, hasDevelopmentLogin }: AdmissionParts) {
    this.#authenticator = authenticator
    this.#limits = limits
    this.#connections = connections
    this.#metrics = metrics
    this.#hasDevelopmentLogin = hasDevelopmentLogin
  }

  /**
   * @returns the account, which admittedActor returns too; undefined for operations without credentials
   * @throws {UnauthorizedError} and the other authentication errors
   * @throws {RateLimitHitError}
   */
  async admit(ctx: Context, operation: ContractOperation): Promise<Actor | undefined> {
    // Files do not count: a page full of pictures is one step for its reader.
    const limits = operation['x-envelope'] === false ? undefined : this.#limits
    if (operation.operationId === METRICS) {
      this.#admitToMetrics(ctx)
      return undefined
    }
    if (operation.security.length === 0) {
      if (limits) ctx.set(operation.operationId === START ? limits.startFrom(ctx.ip) : limits.callFrom(ctx.ip))
      if (operation.operationId === DEVELOPMENT_LOGIN && this.#hasDevelopmentLogin) refuseUnlessLocal(ctx.req)
      return undefined
    }
    try {
      const actor = await this.#authenticator.authenticate(ctx.get('Authorization'))
      if (!this.#connections.belongsTo(ctx.req.socket, actor.id)) {
        ctx.set('Connection', 'close')
        throw new RateLimitHitError(RETRY_SECONDS)
      }
      // Set before the limit is checked, so that the body of a refused upload is dropped as that of an account.
      stateOf(ctx).actor = actor
      if (limits) ctx.set(limits.callBy(actor.id))
      return actor
    } catch (err) {
      this.#countGuess(ctx, err)
      throw err
    }
  }

  #admitToMetrics(ctx: Context): void {
    try {
      this.#metrics.admit(ctx.req)
    } catch (err) {
      this.#countGuess(ctx, err)
      throw err
    }
  }

  /** Counts a wrong key as a call without credentials, in any scheme, and for files too. @throws {RateLimitHitError} */
  #countGuess(ctx: Context, err: unknown): void {
    if (this.#limits && err instanceof ApiError && !(err instanceof RateLimitHitError)) {
      ctx.set(this.#limits.callFrom(ctx.ip))
    }
  }
}

/** Returns the account that was admitted. @throws {UnauthorizedError} if none was */
export function admittedActor(ctx: Context): Actor {
  const { actor } = stateOf(ctx)
  if (actor === undefined) throw new UnauthorizedError()
  return actor
}
