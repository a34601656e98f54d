import type { Document, FeatureLevel, MediaType, Operation, Parameter, PathItem, Response, Schema } from './document.ts'
import { operationsOf } from './document.ts'
import { flattened, mapSchema, mapValues, typesOf } from './schema.ts'
import { schema30 } from './wire30.ts'

/**
 * The wire document in the form that Dredd 14 understands: OpenAPI 3.0.3 without references, one transaction for each
 * operation, an example for everything, and nothing that Dredd warns about.
 *
 * - Operations after which nobody could send further requests are removed.
 * - `security` and all fields that begin with `x-` are removed.
 * - `summary` is the operation id, by which the hooks recognize the operation of a transaction.
 * - Schemas have no `allOf`, and only the first branch of `oneOf` and `anyOf`. JSON text is a string with an example.
 * - Only the first success answer remains, with the keys required at `level`, because Dredd requires every key of the
 * example.
 * @param wire without references
 * @param level feature level of the tested server; default: that of the contract
 * @throws {Error} if a schema cannot be written in this form
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
  return { name, in: place, ...(required === true && { required }), example, schema: plain(schema) }
}

/** Dredd makes no body from it; the hooks do. */
function formFor({ schema }: MediaType): MediaType {
  const { properties = {}, ...form } = plain(schema)
  const given = flattened(schema).properties ?? {}
  const exampled = mapValues(properties, (property, name) => ({
    ...property,
    example: exampleOf(given[name] ?? property),
  }))
  return { schema: { ...form, properties: exampled } }
}

/** Answers with bytes or text have no example, because Dredd would require exactly that content. */
function answerFor({ description, content = {} }: Response, level: number): Response {
  const entries = Object.entries(content).filter(([type]) => type !== 'application/octet-stream')
  // Dredd expects each type in turn but cannot ask for one, and a server may always answer with the first.
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

/** Leaves every object only the properties that are required at `level`. */
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
 * The part of `example` that holds for every answer matching `schema`: Dredd requires the keys of all objects and the
 * types of all lists and objects. Null replaces values whose type can differ, because Dredd requires nothing there.
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

/** The schema without alternatives, and without parts that Dredd's parser does not understand or needs long for. */
function plain(schema: Schema): Schema {
  const whole = schema30(flattened(schema))
  return mapSchema(whole, ({ oneOf, anyOf, allOf, ...rest }) => {
    if (allOf !== undefined) throw new Error(`allOf that cannot be merged for Dredd: ${JSON.stringify(allOf)}`)
    const branch = { ...(oneOf ?? anyOf)?.[0], ...rest }
    return Object.fromEntries(Object.entries(branch).filter(([keyword]) => kept.has(keyword))) as Schema
  })
}

/** The first example of the schema, or else some value of its type. */
function exampleOf({ examples = [], enum: listed = [], type }: Schema): unknown {
  const made = { integer: 1, number: 1, boolean: true, array: [], object: {}, string: 'text', null: null }
  return [...examples, ...listed, made[[type].flat()[0] ?? 'string']][0]
}
