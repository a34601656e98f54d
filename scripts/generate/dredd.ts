import type { Document, FeatureLevel, MediaType, Operation, Parameter, PathItem, Response, Schema } from './document.ts'
import { operationsOf } from './document.ts'
import { flattened, mapSchema, mapValues, typesOf } from './schema.ts'
import { schema30 } from './wire30.ts'

/**
 * The wire document as Dredd 14 understands it: OpenAPI 3.0.3 without references, with one
 * transaction for each operation, an example for everything, and nothing that Dredd would warn of.
 *
 * - What would leave nobody to ask anything else is gone.
 * - `security` and whatever begins with `x-` is gone.
 * - `summary` is the operation id: by it the hooks know which operation a transaction is of.
 * - Schemas have no `allOf`, and of `oneOf` and `anyOf` the first branch. JSON text is a string with an example.
 * - Only the first success answer is there, with the keys that are required at `level`; Dredd wants every key of the example.
 *
 * @param wire without references
 * @param level feature level of the server that is to be tested; default: that of the contract
 * @throws Error when a schema cannot be written like that
 */
export function dreddDocument(wire: Document, level = Number(wire.info.version)): Document {
  const { title, version } = wire.info
  const paths: Record<string, PathItem> = {}
  for (const { path, method, item, operation } of operationsOf(wire)) {
    if (operation['x-ends-service']) continue
    paths[path] = { ...paths[path], [method]: operationFor(operation, item, level) }
  }
  return { openapi: '3.0.3', info: { title, version }, servers: [], paths, components: { schemas: {} } }
}

function operationFor(operation: Operation, item: PathItem, level: number): Operation {
  const { operationId, requestBody } = operation
  const inUrl = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
  const [answer] = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
  if (answer === undefined) throw new Error(`${operationId} has no success answer`)
  return {
    operationId,
    summary: operationId,
    ...(inUrl.length > 0 && { parameters: inUrl.map(parameterFor) }),
    ...(requestBody !== undefined && { requestBody: { content: mapValues(requestBody.content, formFor) } }),
    responses: { [answer[0]]: answerFor(answer[1], level) },
  }
}

function parameterFor({ name, in: place, required, example, schema }: Parameter): Parameter {
  const given = example ?? exampleOf(schema)
  return { name, in: place, ...(required === true && { required }), example: given, schema: plain(schema) }
}

/** Dredd makes no body of it; the hooks do. */
function formFor({ schema }: MediaType): MediaType {
  const { properties = {}, ...form } = plain(schema)
  const given = flattened(schema).properties ?? {}
  const exampled = mapValues(properties, (property, name) => ({
    ...property,
    example: exampleOf(given[name] ?? property),
  }))
  return { schema: { ...form, properties: exampled } }
}

/** Where an answer is bytes of a type of their own, or text, nothing is said of them: Dredd would want these very ones. */
function answerFor({ description, content = {} }: Response, level: number): Response {
  const entries = Object.entries(content).filter(([type]) => type !== 'application/octet-stream')
  // Dredd expects each type in turn, and cannot ask for any: a server may answer with the first one.
  const parts = entries
    .slice(0, 1)
    .map(([type, media]) => [type, type === 'application/json' ? jsonAnswer(media, level) : {}])
  return { description, ...(parts.length > 0 && { content: Object.fromEntries(parts) }) }
}

function jsonAnswer({ schema, example, examples }: MediaType, level: number): MediaType {
  const whole = flattened(schema)
  const given = example ?? Object.values(examples ?? {})[0]?.value
  return { schema: plain(requiredOnly(whole, level)), example: sure(given, requiredOnly(whole, level)) }
}

/** Every object has only the properties that it must have at `level`. */
function requiredOnly(schema: Schema, level: number): Schema {
  return mapSchema(schema, (one) => {
    const { properties, required, ...rest } = one
    if (properties === undefined) return one
    const names = (required ?? []).filter((name) => holds(properties[name]?.['x-feature-level'], level))
    const kept = names.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]] as const]))
    return { ...rest, ...(names.length > 0 && { required: names }), properties: Object.fromEntries(kept) }
  })
}

function holds({ from = 0, until = Number.POSITIVE_INFINITY }: FeatureLevel = {}, level: number): boolean {
  return from <= level && level <= until
}

/**
 * What holds of `example` in every answer that fits `schema`: Dredd wants the keys of all its objects and the type of
 * all its lists and objects. Null stands where the answer may have a value of another type, because Dredd asks nothing
 * there.
 */
function sure(example: unknown, schema: Schema): unknown {
  if (typesOf(schema)?.length !== 1) return null
  if (Array.isArray(example)) {
    const { items } = schema
    return items === undefined || typesOf(items)?.length !== 1 ? [] : example.slice(0, 1).map((one) => sure(one, items))
  }
  if (typeof example !== 'object' || example === null) return example
  const { properties = {} } = schema
  const values = example as Record<string, unknown>
  return mapValues(properties, (property, name) => sure(values[name], property))
}

const kept = new Set(['type', 'enum', 'properties', 'items', 'required', 'nullable'])

/** Without choices, and without all that Dredd's parser does not understand or only takes time for. */
function plain(schema: Schema): Schema {
  const whole = schema30(flattened(schema))
  return mapSchema(whole, ({ oneOf, anyOf, allOf, ...rest }) => {
    if (allOf !== undefined) throw new Error(`allOf that cannot be merged for Dredd: ${JSON.stringify(allOf)}`)
    const branch = { ...(oneOf ?? anyOf)?.[0], ...rest }
    return Object.fromEntries(Object.entries(branch).filter(([keyword]) => kept.has(keyword))) as Schema
  })
}

/** The first example of the schema or, where it has none, some value of its type. */
function exampleOf({ examples = [], enum: listed = [], type }: Schema): unknown {
  const made = { integer: 1, number: 1, boolean: true, array: [], object: {}, string: 'text', null: null }
  return [...examples, ...listed, made[[type].flat()[0] ?? 'string']][0]
}
