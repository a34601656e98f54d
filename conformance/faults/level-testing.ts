/** Operations, parameters, values and fields that a server of an older level lacks, according to the contract. */
import type { PassingAnswer, PassingOn, PassingRequest } from '../testing.ts'
import {
  type Contract,
  holds,
  innerSchemas,
  type Operation,
  type Parameter,
  parameterAt,
  type Schema,
} from '../wire/contract.ts'
import { jsonIn } from '../wire/json.ts'
import { OperationFinder } from '../wire/operation-finder.ts'
import { isObject } from '../wire/values.ts'

/** Existed before, but in another form. */
const reshaped: ReadonlySet<string> = new Set([
  ...['default_streams', 'default_stream_groups', 'realm_default_streams', 'realm_default_stream_groups', 'streams'],
  ...['create_time', 'export_type'],
])

const NOWHERE = '/api/v1/conformance-has-no-such-path'

/** Makes a Parley behind a proxy look like another server at a feature level. */
export class OlderLevel {
  readonly #contract: Contract
  readonly #level: number
  readonly #finder: OperationFinder

  constructor(contract: Contract, level: number) {
    this.#contract = contract
    this.#level = level
    this.#finder = OperationFinder.of(contract)
  }

  /**
   * Removes from a request what the server would ignore, and replaces what it would refuse by something that Parley
   * refuses.
   */
  readonly before = ({ method, url, form }: PassingOn): void => {
    const operation = this.#finder.find((form.get('method') ?? method).toUpperCase(), url.pathname)
    if (operation === undefined) return
    // Each server chooses the paths of files.
    if (operation.path.startsWith('/api/') && !this.#has(operation)) url.pathname = NOWHERE
    for (const values of [url.searchParams, form]) {
      for (const parameter of operation.parameters) {
        const text = values.get(parameter.name)
        if (text === null) continue
        const known = this.#has(parameter) ? this.#understood(parameter, text) : undefined
        if (known === undefined) values.delete(parameter.name)
        else if (known !== text) values.set(parameter.name, known)
      }
    }
  }

  /** Removes from an answer what the server does not have yet. */
  prune({ status, body }: PassingAnswer, request: PassingRequest): void {
    const schema = this.#operationOf(request)?.answers.get(status)
    if (schema !== undefined) this.#prune([schema], body)
  }

  /** Reports what the server has ignored. */
  ignore({ status, body }: PassingAnswer, request: PassingRequest): void {
    const operation = this.#operationOf(request)
    const { parameters } = request
    if (operation === undefined || status !== 200 || !isObject(body)) return
    const unknown = operation.parameters.filter((one) => parameters.has(one.name) && !this.#has(one))
    if (unknown.length === 0) return
    const answer = body as Record<string, unknown>
    const listed = (body.ignored_parameters_unsupported ?? []) as readonly string[]
    answer.ignored_parameters_unsupported = [...listed, ...unknown.map(({ name }) => name)]
  }

  #operationOf({ method, path, parameters }: PassingRequest): Operation | undefined {
    return this.#finder.find((parameters.get('method') ?? method).toUpperCase(), `/api/v1${path}`)
  }

  #has({ levels, parleyOnly }: Operation | Parameter): boolean {
    return holds(levels, this.#level) && !parleyOnly
  }

  #understood(parameter: Parameter, text: string): string {
    if (parameter.isJson) {
      const value = jsonIn(text)
      return this.#prune([parameter.schema], value) ? JSON.stringify(value) : text
    }
    const { enum: listed = [] } = parameter.schema
    const { enum: known = listed } = parameterAt(parameter, this.#level).schema
    return listed.includes(text) && !known.includes(text) ? 'not-at-this-level' : text
  }

  /** @returns whether something was removed from `value` */
  #prune(schemas: readonly Schema[], value: unknown): boolean {
    const forms = schemas.flatMap((schema) => this.#forms(schema, value))
    if (Array.isArray(value)) {
      const items = forms.flatMap((form) => form.items ?? [])
      return value.map((one) => this.#prune(items, one)).includes(true)
    }
    if (!isObject(value)) return false
    let isPruned = false
    for (const [name, inner] of Object.entries(value)) {
      const named = forms.flatMap(({ properties }) => properties?.[name] ?? [])
      const isThere = named.some((one) => holds(one['x-feature-level'] ?? {}, this.#level))
      if (named.length > 0 && !isThere && !reshaped.has(name)) {
        delete (value as Record<string, unknown>)[name]
        isPruned = true
        continue
      }
      const others = forms.flatMap(({ additionalProperties: one }) => (isObject(one) ? [one as Schema] : []))
      isPruned = this.#prune(named.length > 0 ? named : others, inner) || isPruned
    }
    return isPruned
  }

  /** The schema and its parts that apply to this value; for events, those of their type. */
  #forms(schema: Schema, value: unknown): Form[] {
    const forms = [schema, ...innerSchemas(schema, this.#contract.schemas).flatMap((one) => this.#forms(one, value))]
    const differs = ({ properties = {} }: Schema): boolean =>
      Object.entries(properties).some(
        ([name, { const: only }]) => only !== undefined && isObject(value) && value[name] !== only,
      )
    return forms.some(differs) ? [] : forms
  }
}

interface Form extends Schema {
  readonly additionalProperties?: unknown
}
