import type { Http, Pairs } from '../wire/http.ts'
import { SetUpError } from './account.ts'

/** A server on this machine that was started for tests and can be controlled: Parley's operations under /testing. */
export class StandIn {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Moves the server's clock forward. When this resolves, everything that is due by then has been done. */
  async advance(ms: number): Promise<void> {
    await this.#must('advance', [['ms', String(Math.ceil(ms))]])
  }

  /** Makes the server's clock run this many times as fast during the next call of the operation. */
  async slow(operation: string, times: number): Promise<void> {
    await this.#must('fail-next', [
      ['operation', operation],
      ['slow', String(times)],
    ])
  }

  async #must(verb: string, form: Pairs): Promise<void> {
    const path = `/testing/${verb}`
    const exchange = await this.#http.sendOnce({ method: 'POST', path, as: undefined, caller: 'nobody', form })
    if (exchange.status !== 200) throw new SetUpError(path, exchange)
  }
}
