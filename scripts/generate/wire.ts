import type { Document, Operation, Schema } from './document.ts'
import { formOf, operationsOf } from './document.ts'
import { addErrorAnswers } from './errors.ts'
import { mapValues, nameOf, resolved } from './schema.ts'
import type { Source } from './source.ts'

/**
 * The document that clients see: one file, error answers written out, a description and an example on every parameter
 * (taken from its schema where the parameter itself has none).
 */
export function wireDocument({ document, errors }: Source): Document {
  const wire = structuredClone(document)
  const operations = operationsOf(wire).map(({ operation }) => operation)
  for (const operation of operations) describeParameters(operation, wire)
  addErrorAnswers(wire, operations, errors)
  const used = componentsUsedBy(wire)
  wire.components.schemas = Object.fromEntries(
    Object.entries(wire.components.schemas)
      .filter(([name]) => used.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  return wire
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

/** Names of the components that the paths need, directly or through others. */
function componentsUsedBy(document: Document): Set<string> {
  const used = new Set<string>()
  function visit(node: unknown): void {
    if (Array.isArray(node)) node.forEach(visit)
    else if (node !== null && typeof node === 'object') {
      for (const [key, value] of Object.entries(node)) {
        if (key === '$ref' && typeof value === 'string' && !used.has(nameOf(value))) {
          used.add(nameOf(value))
          visit(document.components.schemas[nameOf(value)])
        } else visit(value)
      }
    }
  }
  visit(document.paths)
  return used
}
