import type { ErrorObject } from 'ajv'
import { type ApiError, BadRequestError, MissingParameterError } from '../domain/errors.ts'

/** The keywords of a schema that this file reads. Ajv adds the schema to its errors (`verbose`). */
interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a float',
  boolean: 'a boolean',
  string: 'a string',
  array: 'a list',
  object: 'a dict',
  null: 'null',
}

/** Path at which openapi-backend reports the input in validation errors. */
const INPUT_POINTER = '/requestBody'

/**
 * Returns the API's own error for input that does not fit the contract (ENV-18 to ENV-20).
 *
 * @param errors of one validation that stopped at its first failure
 * @param input that was validated
 */
export function parameterError(errors: readonly ErrorObject[], input: unknown): ApiError {
  const causes = decisiveErrors(errors)
  const [first] = causes
  if (first === undefined) throw new Error('input was refused without an error')
  const path = pathOf(first.instancePath.slice(INPUT_POINTER.length))
  if (first.keyword === 'required') {
    const missing = String(first.params.missingProperty)
    if (path.length === 0) return new MissingParameterError(missing)
    return new BadRequestError(`${nameOf([...path, missing], input)} field is missing`)
  }
  const value = path.length === 0 ? 'parameters' : nameOf(path, input)
  const name = first.propertyName === undefined ? value : `a key of ${value}`
  if (causes.length > 1 && causes.every((cause) => cause.keyword === 'type')) {
    return new BadRequestError(
      notOfTypes(
        name,
        causes.flatMap((cause) => typesOf(cause.parentSchema as Schema)),
      ),
    )
  }
  return new BadRequestError(sentence(first, name))
}

/**
 * Returns the errors that explain the failure. If alternatives failed, these are the errors of the intended one: the
 * alternative whose type and constants (`type`, `op`, `code`) the value has, and among several, the one in which
 * validation got furthest. There are several errors if alternatives failed at the same place; if no alternative was
 * intended, the result is the error of the alternatives themselves.
 *
 * @param errors of one validation that stopped at its first failure, so the last one is the outermost
 */
export function decisiveErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const outermost = errors.at(-1)
  if (outermost === undefined) return []
  if (outermost.keyword === 'propertyNames') return decisiveErrors(errors.slice(0, -1))
  if (outermost.keyword !== 'anyOf' && outermost.keyword !== 'oneOf') return [outermost]
  const ofType = (outermost.schema as Schema[])
    .map((schema, index) => ({ schema, inside: `${outermost.schemaPath}/${index}/` }))
    .filter(({ schema }) => admitsType(schema, outermost.data))
  const bestScore = Math.max(...ofType.map(({ schema }) => matchingConstants(schema, outermost.data)))
  const meant = ofType
    .filter(({ schema }) => matchingConstants(schema, outermost.data) === bestScore)
    .filter(({ schema }) => constantsOf(schema).length === bestScore)
  const found = meant.flatMap(({ inside }) =>
    decisiveErrors(errors.filter((error) => error.schemaPath.startsWith(inside))),
  )
  if (found.length === 0) return [outermost]
  const furthest = found.reduce((best, error) => (progress(error, best) > 0 ? error : best))
  return found.filter((error) => error.instancePath === furthest.instancePath)
}

/** Returns names and values of the properties that have a fixed value. */
export function constantsOf(schema: Schema): [string, unknown][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    property.const === undefined ? [] : [[name, property.const]],
  )
}

function matchingConstants(schema: Schema, value: unknown): number {
  return constantsOf(schema).filter(([name, constant]) => isRecord(value) && value[name] === constant).length
}

function admitsType(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema)
  return types.length === 0 || types.some((type) => type === jsonTypeOf(value) || isWhole(type, value))
}

function isWhole(type: string, value: unknown): boolean {
  return type === 'integer' && Number.isInteger(value)
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Includes the types of alternatives; empty if anything is accepted. */
function typesOf(schema: Schema): string[] {
  if (schema.type !== undefined) return [schema.type].flat() as string[]
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap(typesOf)
}

/** Positive if the validator got further in the value before `error` than before `other`. */
function progress(error: ErrorObject, other: ErrorObject): number {
  const path = pathOf(error.instancePath)
  const otherPath = pathOf(other.instancePath)
  for (const [index, part] of path.entries()) {
    const difference = Number(part) - Number(otherPath[index])
    if (difference !== 0 && !Number.isNaN(difference)) return difference
  }
  return path.length - otherPath.length
}

function sentence(error: ErrorObject, name: string): string {
  const { keyword, params } = error
  const schema = error.parentSchema as Schema
  switch (keyword) {
    case 'type':
      return notOfTypes(name, typesOf(schema))
    case 'anyOf':
    case 'oneOf': {
      const types = typesOf(schema)
      return types.length === 0 || admitsType(schema, error.data) ? `Invalid ${name}` : notOfTypes(name, types)
    }
    case 'minimum':
    case 'exclusiveMinimum':
      return `${name} is too small`
    case 'maximum':
    case 'exclusiveMaximum':
      return `${name} is too large`
    case 'minLength':
    case 'minItems':
      return isFixedLength(schema) ? notOfLength(name, params.limit) : tooShort(name, params.limit)
    case 'maxLength':
      return isFixedLength(schema) ? notOfLength(name, params.limit) : tooLong(name, params.limit, 'characters')
    case 'maxItems':
      return isFixedLength(schema) ? notOfLength(name, params.limit) : tooLong(name, params.limit, 'items')
    case 'maxProperties':
      return tooLong(name, params.limit, 'items')
    case 'pattern':
      return `${name} has invalid format`
    case 'format':
      return ofFormat(name, params.format)
    case 'additionalProperties':
      return `Argument "${params.additionalProperty}" at ${name} is unexpected`
    case 'unevaluatedProperties':
      return `Argument "${params.unevaluatedProperty}" at ${name} is unexpected`
    case 'uniqueItems':
      return `Invalid ${name}: items ${params.j} and ${params.i} are the same`
    default:
      // const, enum, and everything without a wording of its own
      return `Invalid ${name}`
  }
}

function isFixedLength({ minLength, maxLength, minItems, maxItems }: Schema): boolean {
  return (minLength ?? minItems) === (maxLength ?? maxItems)
}

function notOfLength(name: string, length: unknown): string {
  return `${name} is not length ${length}`
}

function tooShort(name: string, limit: unknown): string {
  return limit === 1 ? `${name} cannot be blank` : `${name} is too short.`
}

function tooLong(name: string, limit: unknown, unit: string): string {
  return `${name} is too long (limit: ${limit} ${unit})`
}

function ofFormat(name: string, format: unknown): string {
  if (format === 'uri') return `${name} is not a URL`
  return format === 'date' ? `${name} is not a date` : `${name} has invalid format`
}

/** `null` beside other types means "not given", so it is not mentioned. */
function notOfTypes(name: string, types: readonly string[]): string {
  const said = types.length > 1 ? types.filter((type) => type !== 'null') : types
  const names = [...new Set(said)].map((type) => TYPE_NAMES[type] ?? type)
  const last = names.pop()
  return `${name} is not ${names.length === 0 ? last : `${names.join(', ')} or ${last}`}`
}

/** Splits a JSON pointer. */
function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/**
 * Returns `subscriptions[0]["name"]`: the parameter, then the path inside. The input tells an index from a key of
 * digits.
 */
function nameOf(path: readonly string[], input: unknown): string {
  const [parameter = '', ...inside] = path
  let name = parameter
  let value = isRecord(input) ? input[parameter] : undefined
  for (const part of inside) {
    name += Array.isArray(value) ? `[${part}]` : `[${JSON.stringify(part)}]`
    value = Array.isArray(value) ? value[Number(part)] : isRecord(value) ? value[part] : undefined
  }
  return name
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
