import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js'

/** A client's expectation of a JSON value, as a JSON Schema, in the files beside this one. */
export type Shape = SchemaObject

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, code: { optimize: false } })
ajv.addFormat('uri', (text) => URL.canParse(text, 'http://parley.example'))
ajv.addKeyword({
  keyword: 'isAscending',
  type: 'array',
  error: { message: 'must be ascending' },
  validate: (_: true, ids: readonly number[]) => ids.slice(1).every((id, index) => id > (ids[index] ?? id)),
})

/** One line for each difference from the expectation: path, reason and value. */
export function problems(shape: Shape, value: unknown): string[] {
  const validate = ajv.compile(shape)
  if (validate(value)) return []
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if') // which has no reason of its own
  return errors.map(({ instancePath, message, data }) => {
    const json = JSON.stringify(data)
    return `${instancePath}: ${json.length > 60 ? `${json.slice(0, 60)}…` : json} ${message}`
  })
}

export const int: Shape = { type: 'integer' }
export const number: Shape = { type: 'number' }
export const str: Shape = { type: 'string' }
export const bool: Shape = { type: 'boolean' }
/** Any value including null, but the key is present. */
export const any: Shape = {}
/** An address, absolute or relative; it must only parse. */
export const uri: Shape = { type: 'string', format: 'uri' }
/** A list of ids, ascending and without duplicates. */
export const ascendingInts: Shape = { ...list(int), isAscending: true }

export function oneOf(...values: readonly (string | number | boolean)[]): Shape {
  return { enum: values }
}

export function matching(pattern: RegExp): Shape {
  return { type: 'string', pattern: pattern.source }
}

/** Null or `shape`; the key is present. */
export function nullable(shape: Shape): Shape {
  return { if: { type: 'null' }, else: shape }
}

/** Absent, null or `shape`: any other type breaks the client. */
export function optional(shape: Shape): Shape {
  return { ...nullable(shape), mayBeAbsent: true }
}

export function list(items: Shape): Shape {
  return { type: 'array', items }
}

/** A non-empty list or map of `shape`: world.ts has created some, and an empty one proves nothing. */
export function filled(shape: Shape): Shape {
  return { ...shape, minItems: 1, minProperties: 1 }
}

/** An object with these keys; it may have more. */
export function fields(properties: Readonly<Record<string, Shape>>): Shape {
  const required = Object.keys(properties).filter((key) => properties[key]?.mayBeAbsent !== true)
  return { type: 'object', properties, required }
}

/** Combines several lists of keys that one client wants in an object. */
export function both(...shapes: readonly Shape[]): Shape {
  return { allOf: shapes }
}

/** The key must be absent. */
export function without(key: string): Shape {
  return { not: { required: [key] } }
}

/** An object used as a map. */
export function mapOf(item: Shape, keys: 'any' | 'integer' = 'any'): Shape {
  return { type: 'object', additionalProperties: item, ...(keys === 'integer' && { propertyNames: matching(/^\d+$/) }) }
}

/** The expectation depends on whether the value fits `condition`. */
export function dependingOn(condition: Shape, fitting: Shape, other: Shape): Shape {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: condition, then: fitting, else: other }
}
