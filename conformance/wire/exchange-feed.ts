import type { Contract, Operation } from './contract.ts'
import type { Exchange } from './http.ts'
import { OperationFinder } from './operation-finder.ts'

/** Hears of an answer, and of the operation that its request reached, if any. */
export type See = (exchange: Exchange, operation: Operation | undefined) => void

/** Passes every exchange of a run on to whoever wants to see them all. */
export class ExchangeFeed {
  readonly #finder: OperationFinder
  readonly #watchers = new Set<See>()
  /** What was announced last. */
  last: Exchange | undefined
  readonly #ended: Promise<void>
  #end: () => void = () => undefined

  constructor(contract: Contract) {
    this.#finder = OperationFinder.of(contract)
    this.#ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  announce(exchange: Exchange): void {
    if (this.#watchers.size === 0) return
    this.last = exchange
    const { request } = exchange
    // A form may name another method than that with which it is sent.
    const method = request.form?.findLast(([name]) => name === 'method')?.[1] ?? request.method
    const operation = this.#finder.find(method.toUpperCase(), request.path)
    for (const see of this.#watchers) see(exchange, operation)
  }

  /** Resolves when nothing comes any more. @throws what `see` throws, which then sees no more */
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
      void this.#ended.then(() => {
        this.#watchers.delete(watcher)
        resolve()
      })
    })
  }

  end(): void {
    this.#end()
  }
}
