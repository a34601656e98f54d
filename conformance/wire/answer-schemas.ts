import { Ajv2020, type ErrorObject, type KeywordDefinition, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Contract, holds, type Operation, type Schema } from './contract.ts'
import { modernized } from './older-events.ts'
import { isObject, type Json } from './values.ts'

/** Checks answers against the contract at one feature level; it does not require later additions. */
export class AnswerSchemas {
  readonly #ajv: Ajv2020
  readonly #level: number
  readonly #isParley: boolean
  readonly #contractLevel: number
  readonly #schemas: Contract['schemas']
  readonly #eventForms: readonly Schema[]
  readonly #compiled = new Map<Schema, ValidateFunction>()
  static readonly #known = new WeakMap<Contract, Map<string, AnswerSchemas>>()

  /** The same object for every run at the same level, because compiling takes longer than many runs. */
  static at(contract: Contract, level: number, isParley: boolean): AnswerSchemas {
    const byServer = AnswerSchemas.#known.get(contract) ?? new Map<string, AnswerSchemas>()
    AnswerSchemas.#known.set(contract, byServer)
    const key = `${level} ${isParley}`
    const known = byServer.get(key) ?? new AnswerSchemas(contract, level, isParley)
    byServer.set(key, known)
    return known
  }

  private constructor({ schemas, level: contractLevel }: Contract, level: number, isParley: boolean) {
    this.#level = level
    this.#isParley = isParley
    this.#contractLevel = contractLevel
    this.#schemas = schemas
    this.#eventForms = (schemas.Event?.oneOf ?? []).map(({ $ref = '' }) => schemas[$ref.split('/').at(-1) ?? ''] ?? {})
    // Ajv's code optimization takes longer than all checks of a run.
    this.#ajv = new Ajv2020({ strict: false, verbose: true, validateSchema: false, code: { optimize: false } })
    formats.default(this.#ajv)
    if (isParley) this.#ajv.addKeyword(inOrder)
    this.#ajv.addSchema({ $id: 'contract', components: { schemas: this.#asked(schemas) } })
  }

  /**
   * Describes what is wrong with an answer, such as `/messages/0/id: must be integer`; undefined if nothing is, or the
   * contract says nothing about this status.
   */
  problem(operation: Operation, status: number, body: unknown): string | undefined {
    const schema = operation.answers.get(status)
    if (schema === undefined) return undefined
    if (operation.id !== 'get-events' || !isObject(body) || !Array.isArray(body.events))
      return this.#problem(schema, body)
    const problem = this.#problem(schema, { ...body, events: [] })
    if (problem !== undefined) return problem
    for (const event of this.#inItsForm(body.events)) {
      const odd = this.#eventProblem(event)
      if (odd !== undefined) return `event ${JSON.stringify(event).slice(0, 300)}: ${odd}`
    }
    return undefined
  }

  /** The ops of events of this type, undefined for one without; empty if the contract does not know the type. */
  opsOf(type: unknown): readonly unknown[] {
    return this.#eventForms.flatMap(({ properties = {} }) =>
      properties.type?.const === type ? [properties.op?.const] : [],
    )
  }

  /** Describes what is wrong with an event; other servers have types that the contract does not know. */
  #eventProblem(event: unknown): string | undefined {
    if (!isObject(event)) return 'must be an object'
    const forms = this.#eventForms.filter(({ properties = {} }) => {
      const { type, op } = properties
      return type?.const === event.type && (op?.const === undefined || op.const === event.op)
    })
    const problems = forms.map((form) => this.#problem(form, event))
    return problems.includes(undefined) ? undefined : problems[0]
  }

  /** Like `problem`, for a part of an answer, by the name of its schema in the contract, such as `UserChange`. */
  problemOf(name: string, value: unknown): string | undefined {
    const schema = this.#schemas[name]
    if (schema === undefined) throw new Error(`the contract has no schema ${name}`)
    return this.#problem(schema, value)
  }

  #problem(schema: Schema, value: unknown): string | undefined {
    let validate = this.#compiled.get(schema)
    if (validate === undefined) {
      validate = this.#ajv.compile(absolute(this.#asked(schema)) as object)
      this.#compiled.set(schema, validate)
    }
    if (validate(value)) return undefined
    return (validate.errors ?? []).map(described).join('; ')
  }

  /** Converts events in an older server's form into the current form. */
  #inItsForm(events: readonly unknown[]): readonly unknown[] {
    return this.#level < this.#contractLevel && events.every(isEvent) ? modernized(events) : events
  }

  /**
   * Relaxes a schema: it no longer requires fields that the level lacks, or that only Parley has, and accepts any value
   * for a field that had another form before, or has values that came later: they may have had other names. Also limits
   * times in seconds, to exclude milliseconds.
   */
  #asked(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#asked(one))
    if (typeof value !== 'object' || value === null) return value
    const { properties, required, 'x-feature-levels': ofValues = {} } = value as Schema
    const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#asked(inner)]))
    if (isTime(value)) copy.maximum = FAR_FUTURE
    if (!Object.values(ofValues).every((levels) => holds(levels, this.#level))) delete copy.enum
    if (isObject(properties)) {
      const isThere = (name: string): boolean => holds(properties[name]?.['x-feature-level'] ?? {}, this.#level)
      copy.properties = Object.fromEntries(
        Object.entries(copy.properties as object).map(([name, inner]) => [name, isThere(name) ? inner : true]),
      )
      const isAsked = (name: string): boolean =>
        isThere(name) && (this.#isParley || properties[name]?.['x-parley-only'] !== true)
      if (Array.isArray(required)) copy.required = required.filter(isAsked)
    }
    return copy
  }
}

/** Unix seconds of the year 3000; times in milliseconds are larger since 1971. */
const FAR_FUTURE = 32_503_680_000

/** Whether a schema is for times in Unix seconds, at every level. */
function isTime({ description = '', type }: Schema): boolean {
  return type !== undefined && description.includes('UNIX seconds') && !description.includes('milliseconds')
}

/** Holds `x-order` of the contract: `ascending` for numbers, `id` for objects by their `id`, `-id` for the reverse. */
const inOrder: KeywordDefinition = {
  keyword: 'x-order',
  type: 'array',
  error: { message: ({ schema }) => `must have the order ${schema}` },
  compile: (order: string) => {
    const keyOf = (one: Json): number => (order === 'ascending' ? one : one?.[order.replace('-', '')])
    const [before, after] = order.startsWith('-') ? [1, 0] : [0, 1]
    return (list: readonly Json[]) =>
      list.slice(1).every((_, at) => keyOf(list[at + before]) <= keyOf(list[at + after]))
  },
}

function isEvent(value: unknown): value is { readonly type: string } {
  return isObject(value) && typeof value.type === 'string'
}

function described({ instancePath, message, data }: ErrorObject): string {
  const text = JSON.stringify(data) ?? String(data)
  return `${instancePath || 'the answer'} ${message}, and is ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`
}

/** References from an operation's schema lead into the contract. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' && inner.startsWith('#') ? `contract${inner}` : absolute(inner),
    ]),
  )
}
