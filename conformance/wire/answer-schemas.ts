import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Contract, holds, type Operation, type Schema } from './contract.ts'

/** Holds answers against the contract as it is at one feature level: what came later is not asked for. */
export class AnswerSchemas {
  readonly #ajv: Ajv2020
  readonly #level: number
  readonly #schemas: Contract['schemas']
  readonly #compiled = new Map<Schema, ValidateFunction>()
  static readonly #known = new WeakMap<Contract, Map<number, AnswerSchemas>>()

  /** The same one for every run at the same level: compiling takes longer than many runs. */
  static at(contract: Contract, level: number): AnswerSchemas {
    const byLevel = AnswerSchemas.#known.get(contract) ?? new Map<number, AnswerSchemas>()
    AnswerSchemas.#known.set(contract, byLevel)
    const known = byLevel.get(level) ?? new AnswerSchemas(contract, level)
    byLevel.set(level, known)
    return known
  }

  private constructor({ schemas }: Contract, level: number) {
    this.#level = level
    this.#schemas = schemas
    this.#ajv = new Ajv2020({ strict: false, verbose: true, validateSchema: false })
    formats.default(this.#ajv)
    this.#ajv.addSchema({ $id: 'contract', components: { schemas: atLevel(schemas, level) } })
  }

  /**
   * What is wrong with an answer, such as `/messages/0/id: must be integer`; undefined when nothing is, or when the
   * contract says nothing about this status.
   */
  problem(operation: Operation, status: number, body: unknown): string | undefined {
    const schema = operation.answers.get(status)
    return schema === undefined ? undefined : this.#problem(schema, body)
  }

  /** The same of a part of an answer, by the name of its schema in the contract, such as `UserChange`. */
  problemOf(name: string, value: unknown): string | undefined {
    const schema = this.#schemas[name]
    if (schema === undefined) throw new Error(`the contract has no schema ${name}`)
    return this.#problem(schema, value)
  }

  #problem(schema: Schema, value: unknown): string | undefined {
    let validate = this.#compiled.get(schema)
    if (validate === undefined) {
      validate = this.#ajv.compile(absolute(atLevel(schema, this.#level)) as object)
      this.#compiled.set(schema, validate)
    }
    if (validate(value)) return undefined
    return (validate.errors ?? []).map(described).join('; ')
  }
}

function described({ instancePath, message, data }: ErrorObject): string {
  const text = JSON.stringify(data) ?? String(data)
  return `${instancePath || 'the answer'} ${message}, and is ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`
}

/** Takes fields that do not exist at `level` out of what is required. */
function atLevel(value: unknown, level: number): unknown {
  if (Array.isArray(value)) return value.map((one) => atLevel(one, level))
  if (typeof value !== 'object' || value === null) return value
  const { properties, required } = value as Schema
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, atLevel(inner, level)]))
  if (Array.isArray(required) && properties !== undefined) {
    copy.required = required.filter((name) => holds(properties[name]?.['x-feature-level'] ?? {}, level))
  }
  return copy
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
