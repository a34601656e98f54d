import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { UnauthorizedError, UnknownUrlError } from '../domain/errors.ts'
import type { Config } from './config.ts'
import { isLocalProgram, isLoopback } from './loopback.ts'

type AccessConfig = Pick<Config, 'host' | 'trustProxy' | 'metricsToken'>

/**
 * Decides who may read GET /metrics: callers with the token of PARLEY_METRICS_TOKEN; if none is set, programs on the
 * same machine, provided nobody else can reach the server (SEC-HTTP-12).
 */
export class MetricsAccess {
  readonly #expected: Buffer | undefined
  readonly #isHidden: boolean

  constructor(config: AccessConfig) {
    this.#expected = config.metricsToken === undefined ? undefined : digest(config.metricsToken)
    this.#isHidden = areMetricsHidden(config)
  }

  /**
   * @throws {UnknownUrlError} if nobody may read them
   * @throws {UnauthorizedError} without the token
   */
  admit(request: IncomingMessage): void {
    if (this.#expected === undefined) {
      if (this.#isHidden || !isLocalProgram(request)) throw new UnknownUrlError()
      return
    }
    const [, token = ''] = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
    if (!timingSafeEqual(digest(token), this.#expected)) throw new MetricsTokenError()
  }
}

/** Whether nobody can read /metrics, because others could reach the server and no token is set. */
export function areMetricsHidden({ host, trustProxy, metricsToken }: AccessConfig): boolean {
  return metricsToken === undefined && (trustProxy || !isLoopback(host))
}

class MetricsTokenError extends UnauthorizedError {
  override readonly headers = { 'WWW-Authenticate': 'Bearer realm="metrics"' }
  constructor() {
    super('Metrics are for whoever sends the token of PARLEY_METRICS_TOKEN as Authorization: Bearer')
  }
}

/** Has a fixed length, so that comparing takes the same time for every input. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
