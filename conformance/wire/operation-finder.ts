import type { Contract, Operation } from './contract.ts'

interface Route {
  readonly operation: Operation
  readonly pattern: RegExp
}

/** Which operation of the contract a request reaches, by its method and path. */
export class OperationFinder {
  /** By method; the routes with the most literal text come first. */
  readonly #routes: ReadonlyMap<string, readonly Route[]>

  constructor({ operations }: Contract) {
    const ordered = [...operations.values()].toSorted((one, other) => weight(other) - weight(one))
    this.#routes = Map.groupBy(
      ordered.map((operation) => ({ operation, pattern: patternOf(operation) })),
      ({ operation }) => operation.method,
    )
  }

  /**
   * Undefined where the contract has nothing: an unknown path, another method, a word where a path has a number.
   *
   * @param path from the root of the server; a query may follow
   */
  find(method: string, path: string): Operation | undefined {
    const [bare = ''] = path.split('?')
    return this.#routes.get(method)?.find(({ pattern }) => pattern.test(bare))?.operation
  }
}

/** Literal text goes before a number, and that before any text. */
function weight({ path, parameters }: Operation): number {
  return path.split('/').reduce((sum, part) => {
    const name = nameIn(part)
    if (name === undefined) return sum + 100
    return sum + (isInteger(name, parameters) ? 10 : 1)
  }, 0)
}

function patternOf({ path, atRoot, parameters }: Operation): RegExp {
  const parts = path.split('/').map((part) => {
    const name = nameIn(part)
    if (name === undefined) return part.replaceAll(/[.+*?^$()[\]{}|\\]/g, '\\$&')
    return isInteger(name, parameters) ? '\\d+' : '[^/]+'
  })
  return new RegExp(`^${atRoot ? '' : '/api/v1'}${parts.join('/')}$`)
}

function nameIn(part: string): string | undefined {
  return /^\{(\w+)\}$/.exec(part)?.[1]
}

function isInteger(name: string, parameters: Operation['parameters']): boolean {
  return parameters.some((one) => one.in === 'path' && one.name === name && one.schema.type === 'integer')
}
