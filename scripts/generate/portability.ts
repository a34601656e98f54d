import type { Document, Schema } from './document.ts'
import { operationsOf } from './document.ts'
import { mapSchema, resolved } from './schema.ts'

/**
 * One sentence for each thing that OpenAPI 3.0 permits, or its official schema overlooks, and that client generators
 * cannot read:
 *
 * - An array without `items`: openapi-generator refuses the document, openapi-python-client drops the type.
 * - Null among the values of an enum: oapi-codegen stops. `nullable` beside the enum works.
 * - A form field that is not a single value: openapi-generator sends it as a file.
 */
export function portabilityProblems(wire30: Document): string[] {
  const { schemas } = wire30.components
  const problems = new Set<string>()
  const look = (where: string, schema: Schema): void => {
    mapSchema(schema, (one) => {
      if (one.type === 'array' && one.items === undefined) problems.add(`${where}: an array does not say of what`)
      if (one.enum?.includes(null)) problems.add(`${where}: null is among the values of an enum`)
      return one
    })
  }
  for (const [name, schema] of Object.entries(schemas)) look(name, schema)
  for (const { operation } of operationsOf(wire30)) {
    const { operationId } = operation
    for (const { name, schema } of operation.parameters ?? []) look(`${operationId} ${name}`, schema)
    const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
      Object.values(part?.content ?? {}),
    )
    for (const { schema } of contents) look(operationId, schema)
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
      for (const [name, field] of Object.entries(resolved(schema, schemas).properties ?? {}))
        if (typeof resolved(field, schemas).type !== 'string')
          problems.add(`${operationId} ${name}: a field of a form is not one value`)
    }
  }
  return [...problems]
}
