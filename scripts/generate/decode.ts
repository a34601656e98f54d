import type { DecodeRule, Document, Operation, Parameter, Schema } from './document.ts'
import { formOf } from './document.ts'
import { resolved, typesOf } from './schema.ts'

/** The server's input: one flat object with all parameters, and how each is read from text. */
export interface DecodedInput {
  /** References stay. */
  schema: Schema
  rules: Record<string, DecodeRule>
}

interface Field {
  name: string
  in: DecodeRule['in']
  required: boolean
  schema: Schema
  aliasOf: string | undefined
  slashes: boolean
}

/**
 * All path, query and form parameters of an operation as one object, with the schemas of values inside JSON text. An
 * alias is not a property of its own; its rule is with its parameter.
 *
 * @throws {Error} if two parameters have the same name, or an alias names no parameter
 */
export function decodedInput(operation: Operation, document: Document): DecodedInput {
  const { schemas } = document.components
  const fields = fieldsOf(operation, schemas)
  const input: DecodedInput = { schema: { type: 'object', properties: {}, required: [] }, rules: {} }
  for (const field of fields) {
    if (input.rules[field.name] !== undefined)
      throw new Error(`${operation.operationId}: two parameters are named ${field.name}`)
    if (field.aliasOf !== undefined) continue
    const rule = ruleOf(field, schemas)
    input.rules[field.name] = rule
    input.schema.properties = { ...input.schema.properties, [field.name]: valueSchema(field.schema, rule, schemas) }
    if (field.required) input.schema.required?.push(field.name)
  }
  for (const { name, aliasOf } of fields) {
    if (aliasOf === undefined) continue
    const rule = input.rules[aliasOf]
    if (rule === undefined)
      throw new Error(`${operation.operationId}: ${name} is an alias of ${aliasOf}, which does not exist`)
    rule.aliases.push(name)
  }
  return input
}

function fieldsOf(operation: Operation, schemas: Document['components']['schemas']): Field[] {
  const parameters = (operation.parameters ?? []).map((parameter: Parameter): Field => {
    if (parameter.in === 'header')
      throw new Error(`${operation.operationId}: ${parameter.name} is a header; only path, query and form are read`)
    const { 'x-feature-level': level, 'x-feature-levels': levels } = parameter
    const schema: Schema = {
      ...parameter.schema,
      ...(level !== undefined && { 'x-feature-level': level }),
      ...(levels !== undefined && { 'x-feature-levels': levels }),
      ...(parameter.deprecated !== undefined && { deprecated: parameter.deprecated }),
      ...(parameter.description !== undefined && { description: parameter.description }),
    }
    return {
      name: parameter.name,
      in: parameter.in,
      required: parameter.required === true,
      schema,
      aliasOf: parameter['x-alias-of'],
      slashes: parameter['x-slashes'] === true,
    }
  })
  const form = formOf(operation)
  const properties = Object.entries(form?.properties ?? {}).map(([name, schema]): Field => {
    const { 'x-alias-of': aliasOf } = resolved(schema, schemas)
    return { name, in: 'form', required: form?.required?.includes(name) ?? false, schema, aliasOf, slashes: false }
  })
  return [...parameters, ...properties]
}

function ruleOf(field: Field, schemas: Document['components']['schemas']): DecodeRule {
  const schema = resolved(field.schema, schemas)
  const types = typesOf(schema.contentSchema ?? schema, schemas)
  const json = schema.contentSchema !== undefined || (types !== undefined && !types.includes('string'))
  const [only, ...others] = types ?? []
  const type = others.length === 0 ? only : types
  return {
    in: field.in,
    as: asOf(schema, json),
    ...(type !== undefined && { type }),
    aliases: [],
    ...(field.slashes && { slashes: true }),
    ...(schema['x-any-integer'] === true && { anyInteger: true }),
    ...(schema['x-once'] === true && { once: true }),
    ...(schema['x-null-bytes'] === true && { nullBytes: true }),
    ...(schema['x-refused'] !== undefined && { refused: schema['x-refused'] }),
  }
}

function asOf({ 'x-raw-string': raw }: Schema, isJson: boolean): DecodeRule['as'] {
  if (raw === 'verbatim') return 'json-or-verbatim'
  if (raw === true) return 'json-or-string'
  return isJson ? 'json' : 'string'
}

/** The schema of the decoded value. A default for JSON text is written as text, so it is parsed here. */
function valueSchema(field: Schema, rule: DecodeRule, schemas: Document['components']['schemas']): Schema {
  const schema = resolved(field, schemas)
  if (schema.contentSchema === undefined) return field
  const kept: Schema = { ...schema.contentSchema }
  for (const key of ['description', 'deprecated', 'x-feature-level', 'x-feature-levels'] as const) {
    if (schema[key] !== undefined) Object.assign(kept, { [key]: schema[key] })
  }
  if (typeof schema.default === 'string') kept.default = parsedText(schema.default, rule)
  return kept
}

/** @throws {SyntaxError} for text that is not JSON, unless a raw string is allowed */
export function parsedText(text: string, rule: Pick<DecodeRule, 'as'>): unknown {
  if (rule.as === 'string') return text
  try {
    return JSON.parse(text)
  } catch (err) {
    if (rule.as !== 'json' && err instanceof SyntaxError) return text
    throw err
  }
}
