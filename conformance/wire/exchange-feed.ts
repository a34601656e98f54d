import type { Contract, Operation } from './contract.ts'
import type { Exchange } from './http.ts'
import { OperationFinder } from './operation-finder.ts'

/** Receives an answer, and the operation of its request, if any. */
export type See = (exchange: Exchange, operation: Operation | undefined) => void

/** Passes every exchange of a run on to its listeners. */
export class ExchangeFeed {
  readonly #finder: OperationFinder
  readonly #watchers = new Set<See>()
  /** The last announced exchange. */
  last: Exchange | undefined
  readonly #ended = Promise.withResolvers<void>()

  constructor(contract: Contract) {
    this.#finder = OperationFinder.of(contract)
  }

  announce(exchange: Exchange): void {
    this.last = exchange
    const operation = this.#finder.of(exchange.request)
    for (const see of this.#watchers) see(exchange, operation)
  }

  /** Listens to all exchanges, also after all checks have ended. */
  listen(see: See): void {
    this.#watchers.add(see)
  }

  /** Resolves when all checks have ended. @throws errors of `see`, which then gets no more */
  watch(see: See): Promise<void> {
    return new Promise((resolve, reject) => {
      const watcher: See = (exchange, operation) => {
        try {
          see(exchange, operation)
        } catch (err) {
          this.#watchers.delete(watcher)
          reject(err)
        }
      }
      this.#watchers.add(watcher)
      void this.#ended.promise.then(() => {
        this.#watchers.delete(watcher)
        resolve()
      })
    })
  }

  end(): void {
    this.#ended.resolve()
  }
}
