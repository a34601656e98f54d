import type { Document, JsonType, Operation, Schema } from './document.ts'
import { METHODS } from './document.ts'

type Schemas = Document['components']['schemas']

/** The beginning of a reference to a component. */
export const LOCAL = '#/components/schemas/'

/** `BAD_REQUEST` → `BadRequest`, `send-message` → `SendMessage`. */
export function pascalCase(words: string): string {
  const parts = words.toLowerCase().split(/[_-]/)
  return parts.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The name of the referenced component. */
export function nameOf(reference: string): string {
  return reference.slice(LOCAL.length)
}

/**
 * `schema` itself, or what it refers to, overridden by the siblings of the reference. Only the outermost reference is
 * followed.
 */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema
  const target = schemas[nameOf(schema.$ref)]
  if (target === undefined) throw new Error(`${schema.$ref} leads nowhere`)
  const { $ref: _, ...siblings } = schema
  return { ...resolved(target, schemas), ...siblings }
}

/**
 * Calls `change` on `schema` after doing so on all schemas inside it, and returns the result. The argument is not
 * modified.
 */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const inner = (one: Schema): Schema => mapSchema(one, change)
  const copy: Schema = { ...schema }
  if (schema.properties !== undefined) copy.properties = mapValues(schema.properties, inner)
  if (typeof schema.additionalProperties === 'object') copy.additionalProperties = inner(schema.additionalProperties)
  if (schema.items !== undefined) copy.items = inner(schema.items)
  if (schema.contentSchema !== undefined) copy.contentSchema = inner(schema.contentSchema)
  for (const keyword of ['oneOf', 'anyOf', 'allOf'] as const) {
    const list = schema[keyword]
    if (list !== undefined) copy[keyword] = list.map(inner)
  }
  return change(copy)
}

/**
 * Merges `allOf` of plain objects into one object, at every depth. If a part is marked with feature levels, its
 * properties get them.
 *
 * @param schemas targets of references inside `allOf`; other references stay
 */
export function flattened(schema: Schema, schemas: Schemas = {}): Schema {
  return mapSchema(schema, (one) => {
    if (one.allOf === undefined) return one
    const { allOf, ...rest } = one
    const parts = allOf.map((part) => (part.$ref === undefined ? part : flattened(resolved(part, schemas), schemas)))
    if (!parts.every(isPlainObject)) return one
    const all = [...parts, rest]
    const required = [...new Set(all.flatMap((part) => part.required ?? []))]
    const merged: Schema = {
      ...rest,
      type: 'object',
      properties: Object.assign({}, ...parts.map(markedProperties), rest.properties),
    }
    if (required.length > 0) merged.required = required
    return merged
  })
}

function markedProperties({ properties = {}, 'x-feature-level': level }: Schema): Record<string, Schema> {
  return level === undefined ? properties : mapValues(properties, (one) => ({ 'x-feature-level': level, ...one }))
}

/**
 * Closes objects with listed properties, so that a field in an answer that the contract lacks is noticed. Only for
 * schemas of what the server sends; those of its input, and those that clients read, stay open. Expects a flattened
 * schema.
 */
export function closed(schema: Schema): Schema {
  return mapSchema(schema, (one) => {
    if (one.properties === undefined || one.additionalProperties !== undefined) return one
    return { ...one, additionalProperties: false }
  })
}

/** The schema without the parts that only people read. */
export function bare(schema: Schema): Schema {
  return mapSchema(schema, ({ description: _d, examples: _e, example: _x, ...rest }) => rest)
}

/**
 * The JSON types that a value of the schema can have; undefined if it allows any.
 *
 * @param schemas targets of references, if there are any
 */
export function typesOf(schema: Schema, schemas: Schemas = {}): JsonType[] | undefined {
  const { type, oneOf, anyOf = oneOf } = resolved(schema, schemas)
  if (type !== undefined) return [type].flat()
  const types = anyOf?.map((one) => typesOf(one, schemas))
  if (types === undefined) return undefined
  return types.includes(undefined) ? undefined : [...new Set(types.flatMap((type) => type ?? []))]
}

export function mapValues<A, B>(record: Record<string, A>, change: (value: A, key: string) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

/** The same paths with every operation changed. */
export function mapOperations(
  paths: Document['paths'],
  change: (operation: Operation) => Operation,
): Document['paths'] {
  return mapValues(paths, (item) => {
    const copy = { ...item }
    for (const method of METHODS) if (item[method] !== undefined) copy[method] = change(item[method])
    return copy
  })
}

function isPlainObject(schema: Schema): boolean {
  return (
    schema.type === 'object' &&
    !['$ref', 'oneOf', 'anyOf', 'allOf', 'additionalProperties'].some((key) => key in schema)
  )
}
