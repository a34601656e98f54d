import type { Document, Operation, Schema } from './document.ts'
import { formOf, operationsOf } from './document.ts'
import { addErrorAnswers } from './errors.ts'
import { LOCAL, mapValues, nameOf, pascalCase, resolved } from './schema.ts'
import type { Source } from './source.ts'

/**
 * The document that clients get: one file with error answers written out, a name for every answer, and a description
 * and example on every parameter (those of its schema if the parameter has none).
 */
export function wireDocument({ document, errors }: Source): Document {
  const wire = structuredClone(document)
  const operations = operationsOf(wire).map(({ operation }) => operation)
  for (const operation of operations) describeParameters(operation, wire)
  nameSuccesses(operations, wire)
  addErrorAnswers(wire, errors)
  wire.components.schemas = componentsUsedBy(wire)
  return wire
}

/**
 * Names the answer of each operation, because code generators invent a name otherwise: `SendMessageAnswer`.
 *
 * @throws {Error} if a schema has this name
 */
function nameSuccesses(operations: readonly Operation[], { components: { schemas } }: Document): void {
  for (const { operationId, responses } of operations) {
    const { description, content } = responses['200'] ?? {}
    const media = content?.['application/json']
    if (media === undefined || media.schema.$ref !== undefined) continue
    const name = `${pascalCase(operationId)}Answer`
    if (schemas[name] !== undefined)
      throw new Error(`${operationId}: what it answers is to be named ${name}, like a schema`)
    schemas[name] = { ...(description !== undefined && { description }), ...media.schema }
    media.schema = { $ref: LOCAL + name }
  }
}

function describeParameters(operation: Operation, { components }: Document): void {
  operation.parameters = operation.parameters?.map((parameter) => {
    const schema = resolved(parameter.schema, components.schemas)
    const description = parameter.description ?? schema.description
    const example = parameter.example ?? schema.examples?.[0]
    return {
      ...parameter,
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
    }
  }) as NonNullable<Operation['parameters']>
  if (operation.parameters === undefined) delete operation.parameters
  const form = formOf(operation)
  if (form?.properties === undefined) return
  form.properties = mapValues(form.properties, (property: Schema) => {
    const { description, examples } = resolved(property, components.schemas)
    return {
      ...property,
      ...(description !== undefined && { description }),
      ...(examples !== undefined && { examples }),
    }
  })
}

/** The schemas that the paths use, directly or indirectly, by name. */
export function componentsUsedBy({ paths, components: { schemas } }: Document): Record<string, Schema> {
  const used = new Set<string>()
  function visit(node: unknown): void {
    if (Array.isArray(node)) node.forEach(visit)
    else if (node !== null && typeof node === 'object') {
      for (const [key, value] of Object.entries(node)) {
        if (key === '$ref' && typeof value === 'string' && !used.has(nameOf(value))) {
          used.add(nameOf(value))
          visit(schemas[nameOf(value)])
        } else visit(value)
      }
    }
  }
  visit(paths)
  const kept = Object.entries(schemas).filter(([name]) => used.has(name))
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)))
}
