import type { Contract, Operation } from './contract.ts'
import type { Request } from './http.ts'

interface Route {
  readonly operation: Operation
  readonly pattern: RegExp
  /** Like `pattern`, with words in place of numbers. */
  readonly loose: RegExp
}

const finders = new WeakMap<Contract, OperationFinder>()

/** Finds the operation of a request by its method and path. */
export class OperationFinder {
  /** The finder of a contract, created once: it needs a pattern or two for each operation. */
  static of(contract: Contract): OperationFinder {
    const finder = finders.get(contract) ?? new OperationFinder(contract)
    finders.set(contract, finder)
    return finder
  }

  /** Paths with the most literal text come first. */
  readonly #routes: readonly Route[]

  private constructor({ operations }: Contract) {
    const ordered = [...operations.values()].toSorted((one, other) => weight(other) - weight(one))
    this.#routes = ordered.map((operation) => ({
      operation,
      pattern: patternOf(operation, '\\d+'),
      loose: patternOf(operation, '[^/]+'),
    }))
  }

  of({ method, path }: Request): Operation | undefined {
    return this.find(method, path)
  }

  /**
   * Undefined for an unknown path or method. A word in place of a number still finds the operation, which lists that
   * refusal, unless the word makes it another operation's path.
   *
   * @param path from the root of the server; a query may follow
   */
  find(method: string, path: string): Operation | undefined {
    const [bare = ''] = path.split('?')
    const here = this.#routes.filter(({ pattern }) => pattern.test(bare))
    const exact = here.find(({ operation }) => operation.method === method)
    if (exact !== undefined) return exact.operation
    const near = this.#routes.find(({ operation, loose }) => operation.method === method && loose.test(bare))?.operation
    return here[0] === undefined || here[0].operation.path === near?.path ? near : undefined
  }
}

/** Literal text takes precedence over a number, and a number over any text. */
function weight({ path, parameters }: Operation): number {
  return path.split('/').reduce((sum, part) => {
    const name = nameIn(part)
    if (name === undefined) return sum + 100
    return sum + (isInteger(name, parameters) ? 10 : 1)
  }, 0)
}

function patternOf({ path, parameters }: Operation, number: string): RegExp {
  const parts = path.split('/').map((part) => {
    const name = nameIn(part)
    if (name === undefined) return part.replaceAll(/[.+*?^$()[\]{}|\\]/g, '\\$&')
    return isInteger(name, parameters) ? number : '[^/]+'
  })
  return new RegExp(`^${parts.join('/')}$`)
}

function nameIn(part: string): string | undefined {
  return /^\{(\w+)\}$/.exec(part)?.[1]
}

function isInteger(name: string, parameters: Operation['parameters']): boolean {
  return parameters.some((one) => one.in === 'path' && one.name === name && one.schema.type === 'integer')
}
