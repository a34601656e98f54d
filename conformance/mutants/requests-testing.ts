/** Servers that misunderstand requests, derived from the requests of a run. */
import type { PassingOn } from '../testing.ts'
import type { Contract, Operation } from '../wire/contract.ts'
import { jsonIn } from '../wire/json.ts'
import { OperationFinder } from '../wire/operation-finder.ts'
import { isObject } from '../wire/values.ts'
import { idOf, type Mutant } from './mutants-testing.ts'

/** The value of a parameter in one request. */
interface Argument {
  readonly name: string
  readonly value: string
  /** The previous value that the operation got for it, from anybody; undefined the first time. */
  readonly before: string | undefined
  /** The default if the parameter is not sent; undefined if it is required. */
  readonly fallback: string | undefined
  /** Undefined removes it from the request. */
  replace(value: string | undefined): void
}

/**
 * Ways in which a server can misread an argument; undefined if that changes nothing, or gives nothing it could accept.
 */
const readings: Readonly<Record<string, (argument: Argument) => { readonly now: string | undefined } | undefined>> = {
  ignored: ({ fallback, value }) => (fallback === undefined || fallback === value ? undefined : { now: undefined }),
  'as before': ({ before, value }) => (before === undefined || before === value ? undefined : { now: before }),
  negated({ value }) {
    return value === 'true' || value === 'false' ? { now: String(value === 'false') } : undefined
  },
  'only the first'({ value }) {
    const all = jsonIn(value)
    if (Array.isArray(all)) return all.length > 1 ? { now: JSON.stringify(all.slice(0, 1)) } : undefined
    const entries = isObject(all) ? Object.entries(all) : []
    return entries.length > 1 ? { now: JSON.stringify(Object.fromEntries(entries.slice(0, 1))) } : undefined
  },
}

/** A server that misreads its requests in these ways. */
export class Misreader {
  /** Every way in which a request so far could have been misread. */
  readonly possible = new Map<string, Mutant>()
  readonly mutants: readonly Mutant[]
  readonly #finder: OperationFinder
  readonly #last = new Map<string, string>()

  constructor(contract: Contract, mutants: readonly Mutant[]) {
    this.#finder = OperationFinder.of(contract)
    this.mutants = mutants
  }

  readonly read = (request: PassingOn): void => {
    const operation = this.#finder.find(request.form.get('method') ?? request.method, request.url.pathname)
    if (operation === undefined) return
    for (const argument of argumentsOf(operation, request, this.#last)) {
      const { name, value } = argument
      for (const [operator, reading] of Object.entries(readings)) {
        const read = reading(argument)
        if (read === undefined) continue
        const mutant = { subject: operation.id, path: name, operator }
        this.possible.set(idOf(mutant), mutant)
        if (this.mutants.some((one) => idOf(one) === idOf(mutant))) argument.replace(read.now)
      }
      this.#last.set(`${operation.id} ${name}`, value)
    }
  }
}

function argumentsOf(operation: Operation, { url, form }: PassingOn, last: ReadonlyMap<string, string>): Argument[] {
  const template = operation.path.split('/')
  return operation.parameters.flatMap(({ name, in: place, required, schema }): Argument[] => {
    const all = {
      name,
      before: last.get(`${operation.id} ${name}`),
      fallback: required || place === 'path' ? undefined : textOf(schema.default),
    }
    if (place === 'path') {
      const index = template.indexOf(`{${name}}`)
      const replace = (value = ''): void => {
        url.pathname = url.pathname.split('/').with(index, value).join('/')
      }
      return [{ ...all, value: url.pathname.split('/')[index] ?? '', replace }]
    }
    return [url.searchParams, form].flatMap((given): Argument[] => {
      const value = given.get(name)
      const replace = (now: string | undefined): void => {
        if (now === undefined) given.delete(name)
        else given.set(name, now)
      }
      return value === null ? [] : [{ ...all, value, replace }]
    })
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
