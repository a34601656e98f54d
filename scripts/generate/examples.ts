import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { parsedText } from './decode.ts'
import { answerSchema } from './decoded.ts'
import type { Document, LocatedOperation, Schema } from './document.ts'
import { formOf, operationsOf } from './document.ts'
import { closed, flattened } from './schema.ts'

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default

/**
 * One sentence for each example that does not match its schema. An example of JSON text must match as text, and its
 * content must match the content's schema. Answers and events must not have a field that the contract lacks.
 *
 * @param wire without references
 */
export function exampleProblems(wire: Document): string[] {
  // Each schema is used once or twice, so optimizing takes longer than it saves.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  addFormats(ajv)

  /** By referenced schema, which is always the same object: most error schemas are shared between operations. */
  const ofAnswers = new Map<Schema, Schema>()

  function answered(written: Schema): Schema {
    const schema = ofAnswers.get(written) ?? answerSchema(written)
    ofAnswers.set(written, schema)
    return schema
  }

  function problems(where: string, example: unknown, schema: Schema): string[] {
    const validate = ajv.compile(schema) // the same object is compiled only once
    if (validate(example)) return []
    return [`${where}: ${ajv.errorsText(validate.errors, { dataVar: 'example', separator: '; ' })}`]
  }

  function parameter(where: string, example: unknown, schema: Schema): string[] {
    const found = problems(where, example, schema)
    if (found.length > 0 || schema.contentSchema === undefined) return found
    const as = schema['x-raw-string'] === undefined ? 'json' : 'json-or-string'
    try {
      return problems(`${where} (content)`, parsedText(String(example), { as }), schema.contentSchema)
    } catch (err) {
      return [`${where}: ${(err as Error).message}`]
    }
  }

  function ofOperation({ operation }: LocatedOperation): string[] {
    const id = operation.operationId
    return [
      ...(operation.parameters ?? []).flatMap(({ name, example, schema }) =>
        parameter(`${id} ${name}`, example, schema),
      ),
      ...Object.entries(formOf(operation)?.properties ?? {}).flatMap(([name, property]) =>
        (property.examples ?? []).flatMap((example) => parameter(`${id} ${name}`, example, property)),
      ),
      ...Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
        Object.values(content).flatMap((media) => {
          const examples =
            media.example === undefined
              ? Object.values(media.examples ?? {}).map(({ value }) => value)
              : [media.example]
          return examples.flatMap((example) => problems(`${id} ${status}`, example, answered(media.schema)))
        }),
      ),
    ]
  }

  function ofSchema(name: string, schema: Schema): string[] {
    if (schema.contentSchema !== undefined)
      return (schema.examples ?? []).flatMap((example) => parameter(name, example, schema))
    const strict = closed(flattened(schema))
    return (schema.examples ?? []).flatMap((example) => problems(name, example, strict))
  }

  return [
    ...operationsOf(wire).flatMap(ofOperation),
    ...Object.entries(wire.components.schemas).flatMap(([name, schema]) => ofSchema(name, schema)),
  ]
}
