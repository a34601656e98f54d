import { decodedInput } from './decode.ts'
import type { Document, LocatedOperation, Schema } from './document.ts'
import { operationsOf } from './document.ts'
import { isForTests } from './testing-paths.ts'

const SUCCESS = '#/components/schemas/Success'

const HEAD = `// Made by scripts/generate.ts from openapi/. Types only; do not edit.

`

const TAIL = `
export type Schemas = Omit<components['schemas'], 'Inputs' | 'Outputs'>

type AnyOperationId = keyof components['schemas']['Inputs']

/** The operations of every server. */
export type OperationId = Exclude<AnyOperationId, TestingOperationId>

/** All parameters of an operation as decoded values, defaults filled in. */
export type Input<Op extends AnyOperationId> = components['schemas']['Inputs'][Op]

/** The body of a successful answer, without what the envelope adds. */
export type Output<Op extends AnyOperationId> = components['schemas']['Outputs'][Op]

type WithoutId<E> = E extends unknown ? Omit<E, 'id'> : never

/** An event before it has an id. */
export type Event = WithoutId<components['schemas']['Event']>

/** The events of one type, or of one type and op. */
export type EventOf<Type extends Event['type'], Op = unknown> = Extract<Event, { type: Type } & (unknown extends Op ? unknown : { op: Op })>
`

/**
 * The content of `generated/operations.ts`. Named schemas keep their names, so handlers can write `Schemas['Message']`.
 * Imports TypeScript (about a second), so a start does not use this.
 */
export async function operationTypes(document: Document): Promise<string> {
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  const inputs: Record<string, Schema> = {}
  const outputs: Record<string, Schema> = {}
  for (const { operation } of operationsOf(document)) {
    inputs[operation.operationId] = inputSchema(decodedInput(operation, document).schema)
    outputs[operation.operationId] = outputSchema(operation.responses['200']?.content)
  }
  const schemas = { ...document.components.schemas, Inputs: allOf(inputs), Outputs: allOf(outputs) }
  const typed = { openapi: document.openapi, info: document.info, paths: {}, components: { schemas } }
  const nodes = await openapiTypescript(JSON.stringify(typed), { silent: true, immutable: true })
  const operations = operationsOf(document)
  const anonymous = operations.filter(({ operation }) => operation['x-minimum-role'] === 'anonymous')
  return [
    HEAD + astToString(nodes) + TAIL,
    union('AnonymousOperationId', 'Operations that need no credentials.', anonymous),
    union('TestingOperationId', 'What only servers have that were started for tests.', operations.filter(isForTests)),
  ].join('\n')
}

function union(name: string, description: string, operations: readonly LocatedOperation[]): string {
  const ids = operations.map(({ operation }) => `  | '${operation.operationId}'`)
  return `/** ${description} */\nexport type ${name} =\n${ids.join('\n')}\n`
}

/** A parameter with a default always has a value when a handler runs. */
function inputSchema(schema: Schema): Schema {
  const withDefault = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    'default' in property ? [name] : [],
  )
  return { ...schema, required: [...new Set([...(schema.required ?? []), ...withDefault])] }
}

function outputSchema(content: Record<string, { schema: Schema }> | undefined): Schema {
  const [first] = Object.values(content ?? {})
  if (first === undefined || first.schema.$ref === SUCCESS) return { type: 'object' }
  const parts = first.schema.allOf?.filter((part) => part.$ref !== SUCCESS)
  if (parts === undefined) return first.schema
  const [only, ...others] = parts
  return only !== undefined && others.length === 0 ? only : { allOf: parts }
}

function allOf(properties: Record<string, Schema>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) }
}
