import type { Http, Pairs } from '../wire/http.ts'
import { SetUpError } from './account.ts'

/** A server that was started for tests, on this machine, and may be ruled: what Parley has below /testing. */
export class StandIn {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Moves the server's clock forward; what is due by then has been done when this resolves. */
  async advance(ms: number): Promise<void> {
    await this.#must('advance', [['ms', String(Math.ceil(ms))]])
  }

  /** The server's clock runs so many times as fast while the next call of that operation is worked on. */
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
