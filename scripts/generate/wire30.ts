import type { Document, MediaType, Operation, Schema } from './document.ts'
import { flattened, mapOperations, mapSchema, mapValues, resolved } from './schema.ts'
import { componentsUsedBy } from './wire.ts'

type Schemas = Document['components']['schemas']

/**
 * The wire document as OpenAPI 3.0.3, for tools that know only that. Anything that 3.0 cannot express becomes the
 * nearest thing it can: several types → `anyOf`, null → `nullable`, `const` → `enum`, JSON text → a string with
 * `x-content-schema`.
 */
export function wire30Document(wire: Document): Document {
  const document = structuredClone(wire)
  const { schemas } = document.components
  const { summary: _, license, ...info } = document.info as { summary?: string; license?: { name: string } }
  const wire30 = {
    ...document,
    openapi: '3.0.3',
    info: { ...info, ...(license !== undefined && { license: { name: license.name } }) },
    paths: mapOperations(document.paths, (operation) => operation30(operation, schemas)),
    components: { ...document.components, schemas: mapValues(schemas, (schema) => schema30(schema, schemas)) },
  }
  wire30.components.schemas = componentsUsedBy(wire30) // merged schemas are no longer used
  return wire30
}

function operation30(operation: Operation, schemas: Schemas): Operation {
  const copy: Operation = { ...operation }
  const content30 = <T extends { schema: Schema }>(content: Record<string, T>): Record<string, T> =>
    mapValues(content, (media) => ({ ...media, schema: schema30(media.schema, schemas) }))
  if (operation.parameters !== undefined) {
    copy.parameters = operation.parameters
      .filter(({ schema }) => !isRefused(schema))
      .map((parameter) => ({ ...parameter, schema: schema30(parameter.schema, schemas) }))
  }
  if (operation.requestBody !== undefined) {
    copy.requestBody = {
      ...operation.requestBody,
      content: content30(mapValues(operation.requestBody.content, withoutRefused)),
    }
  }
  copy.responses = mapValues(operation.responses, (response) =>
    response.content === undefined ? response : { ...response, content: content30(response.content) },
  )
  return copy
}

/** A generated client does not offer parameters that are refused whenever they would matter. */
function withoutRefused(media: MediaType): MediaType {
  const { properties } = media.schema
  if (properties === undefined) return media
  const kept = Object.entries(properties).filter(([, schema]) => !isRefused(schema))
  return { ...media, schema: { ...media.schema, properties: Object.fromEntries(kept) } }
}

function isRefused(schema: Schema): boolean {
  return schema['x-refused'] !== undefined
}

/**
 * Converts a schema from 3.1 to 3.0.
 *
 * @param schemas targets of its references, in 3.1
 */
export function schema30(schema: Schema, schemas: Schemas = {}): Schema {
  return mapSchema(flattened(schema, schemas), (one) =>
    withoutSiblings(freeForm(nullableOption(oneType(wide(withoutNewKeywords(one))), schemas), schemas), schemas),
  )
}

function withoutNewKeywords(schema: Schema): Schema {
  const { const: constant, examples, contentMediaType: _, contentSchema, ...rest } = schema
  const copy: Schema = rest
  if ('const' in schema) copy.enum = [constant]
  if (examples?.[0] !== undefined) copy.example = examples[0]
  if (contentSchema !== undefined) copy['x-content-schema'] = contentSchema
  return copy
}

/** Code generators take integers without a format for 32 bits, which times after 2038 and sizes exceed. */
function wide(schema: Schema): Schema {
  const isInteger = [schema.type].flat().includes('integer')
  const isWide = isInteger && schema.enum === undefined && !((schema.maximum ?? Infinity) < 2 ** 31)
  return isWide ? { ...schema, format: 'int64' } : schema
}

function oneType(schema: Schema): Schema {
  if (!Array.isArray(schema.type)) return schema
  const { type: types, ...rest } = schema
  const nullable = types.includes('null') ? { nullable: true } : {} // only valid beside a type
  const options = types.filter((type) => type !== 'null').map((type): Schema => ({ type, ...nullable }))
  return options.length === 1 ? { ...rest, ...options[0] } : { ...rest, anyOf: options }
}

/** In 3.0, a choice between something and null is written as nullable. */
function nullableOption(schema: Schema, schemas: Schemas): Schema {
  const { anyOf, ...rest } = schema
  const [first, second, ...others] = anyOf ?? []
  if (first === undefined || second?.type !== 'null' || others.length > 0) return schema
  const { type } = resolved(first, schemas)
  return { ...first, ...rest, ...(type !== undefined && { type }), nullable: true }
}

/**
 * Code generators distinguish the members of a union by their properties, which maps do not have; openapi-generator's
 * Java would not compile.
 */
function freeForm(schema: Schema, schemas: Schemas): Schema {
  const { oneOf, anyOf, ...rest } = schema
  const maps = (oneOf ?? anyOf ?? []).filter((option) => isMap(resolved(option, schemas)))
  return maps.length > 1 ? { ...rest, type: 'object', additionalProperties: true } : schema
}

/**
 * 3.0 ignores the siblings of a reference, and code generators take a wrapped one for an object, which they send as a
 * file. So a plain value is written out, a choice keeps its name and loses its siblings, and only objects and unions
 * are wrapped.
 */
function withoutSiblings(schema: Schema, schemas: Schemas): Schema {
  const { $ref, ...siblings } = schema
  if ($ref === undefined || Object.keys(siblings).length === 0) return schema
  const target = resolved({ $ref }, schemas)
  const isValue = typeof target.type === 'string' && target.type !== 'object'
  if (!isValue || siblings.nullable === true) return { allOf: [{ $ref }], ...siblings }
  return target.enum === undefined ? { ...schema30(target, schemas), ...siblings } : { $ref }
}

/** An object for which only the type of values is known, not their names. */
function isMap({ type, properties, additionalProperties }: Schema): boolean {
  return type === 'object' && properties === undefined && additionalProperties !== undefined
}
