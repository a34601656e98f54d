import type { Document, JsonType, Operation, PathItem, Schema } from './document.ts'
import { METHODS } from './document.ts'
import { mapSchema, mapValues } from './schema.ts'

/**
 * The wire document as OpenAPI 3.0.3, for tools that know only that. What 3.0 cannot say is said as nearly as it can:
 * several types → `anyOf`, null → `nullable`, `const` → `enum`, JSON text → a string with `x-content-schema`.
 */
export function wire30Document(wire: Document): Document {
  const document = structuredClone(wire)
  const { summary: _, license, ...info } = document.info as { summary?: string; license?: { name: string } }
  return {
    ...document,
    openapi: '3.0.3',
    info: { ...info, ...(license !== undefined && { license: { name: license.name } }) },
    paths: mapValues(document.paths, pathItem),
    components: { ...document.components, schemas: mapValues(document.components.schemas, schema30) },
  }
}

function pathItem(item: PathItem): PathItem {
  const copy = { ...item }
  for (const method of METHODS) {
    const operation = item[method]
    if (operation !== undefined) copy[method] = operation30(operation)
  }
  return copy
}

function operation30(operation: Operation): Operation {
  const copy: Operation = { ...operation }
  const content30 = <T extends { schema: Schema }>(content: Record<string, T>): Record<string, T> =>
    mapValues(content, (media) => ({ ...media, schema: schema30(media.schema) }))
  if (operation.parameters !== undefined) {
    copy.parameters = operation.parameters.map((parameter) => ({ ...parameter, schema: schema30(parameter.schema) }))
  }
  if (operation.requestBody !== undefined) {
    copy.requestBody = { ...operation.requestBody, content: content30(operation.requestBody.content) }
  }
  copy.responses = mapValues(operation.responses, (response) =>
    response.content === undefined ? response : { ...response, content: content30(response.content) },
  )
  return copy
}

/** One schema of 3.1 as a schema of 3.0. */
export function schema30(schema: Schema): Schema {
  return mapSchema(schema, (one) => withoutSiblings(oneType(withoutNewKeywords(one))))
}

function withoutNewKeywords(schema: Schema): Schema {
  const { const: constant, examples, contentMediaType: _, contentSchema, ...rest } = schema
  const copy: Schema = rest
  if ('const' in schema) copy.enum = [constant]
  if (examples?.[0] !== undefined) copy.example = examples[0]
  if (contentSchema !== undefined) copy['x-content-schema'] = contentSchema
  return copy
}

function oneType(schema: Schema): Schema {
  const options = (list: Schema[] | undefined) =>
    list?.filter((option) => option.enum?.[0] !== null || option.enum.length > 1)
  if (!Array.isArray(schema.type)) {
    const copy = { ...schema }
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      const kept = options(schema[keyword])
      if (kept !== undefined) copy[keyword] = kept
    }
    return copy
  }
  const { type: types, ...rest } = schema
  const [first, ...others] = (types as JsonType[]).filter((type) => type !== 'null')
  const nullable = types.includes('null') ? { nullable: true } : {}
  if (first !== undefined && others.length === 0) return { ...rest, type: first, ...nullable }
  return { ...rest, ...nullable, anyOf: [first ?? 'string', ...others].map((type) => ({ type }) as Schema) }
}

/** 3.0 ignores what stands beside a reference. */
function withoutSiblings(schema: Schema): Schema {
  const { $ref, ...siblings } = schema
  if ($ref === undefined || Object.keys(siblings).length === 0) return schema
  return { allOf: [{ $ref }], ...siblings }
}
