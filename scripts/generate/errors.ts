import type { Document, LocatedOperation, Operation, Response, Schema } from './document.ts'
import { FORM, formOf, METHODS, operationsOf } from './document.ts'
import { LOCAL, pascalCase, resolved } from './schema.ts'

/** An entry of `openapi/errors.yaml`. */
export interface ErrorEntry {
  status: number
  /** Other statuses the code has, with the occasion. */
  otherStatuses?: Record<string, string>
  description: string
  /** Pattern of the message, with `{x}` for values. */
  message: string
  /** More fields at the top level of the answer. */
  fields?: Schema
  headers?: Record<string, unknown>
  /** An answer, without `result` and `code`. */
  example: Record<string, unknown>
}

export type ErrorTable = Record<string, ErrorEntry>

/**
 * Every code an operation can answer: its own `x-error-codes`, and those that follow from its form:
 *
 * - INTERNAL_SERVER_ERROR and BAD_REQUEST everywhere (any query may be malformed), and nothing else where there is no
 * envelope;
 * - RATE_LIMIT_HIT;
 * - REQUEST_VARIABLE_MISSING with a required parameter, REQUEST_CONFUSING_VAR with an alias;
 * - UNAUTHORIZED, INVALID_API_KEY, USER_DEACTIVATED and REALM_DEACTIVATED if it needs credentials. {@link
 * addErrorAnswers} knows the statuses.
 */
export function errorCodesOf(operation: Operation): string[] {
  const codes = new Set((operation['x-error-codes'] ?? []).map((written) => statusOf(written).code))
  codes.add('INTERNAL_SERVER_ERROR').add('BAD_REQUEST')
  if (operation['x-envelope'] === false) return [...codes].sort()
  codes.add('RATE_LIMIT_HIT')
  const form = formOf(operation)
  const parameters = operation.parameters ?? []
  if ((form?.required ?? []).length > 0 || parameters.some((one) => one.required === true && one.in !== 'path')) {
    codes.add('REQUEST_VARIABLE_MISSING')
  }
  const fields = [...parameters, ...Object.values(form?.properties ?? {})]
  if (fields.some((field) => field['x-alias-of'] !== undefined)) codes.add('REQUEST_CONFUSING_VAR')
  if (operation.security?.length !== 0)
    codes.add('UNAUTHORIZED').add('INVALID_API_KEY').add('USER_DEACTIVATED').add('REALM_DEACTIVATED')
  return [...codes].sort()
}

/** `BAD_REQUEST 404` in `x-error-codes`: the code with another status than its usual one. */
function statusOf(written: string): { code: string; status: string | undefined } {
  const [code = '', status] = written.split(' ')
  return { code, status }
}

/** `BAD_REQUEST` → `BadRequestError`. */
function errorSchemaName(code: string): string {
  return `${pascalCase(code)}Error`
}

/** The body of an error answer with this code. */
function errorSchema(code: string, entry: ErrorEntry): Schema {
  const others = Object.entries(entry.otherStatuses ?? {}).map(([status, occasion]) => `Status ${status}: ${occasion}.`)
  return {
    type: 'object',
    description: [entry.description, `Message: "${entry.message}".`, ...others].join(' '),
    required: ['result', 'msg', 'code', ...(entry.fields?.required ?? [])],
    properties: {
      result: { type: 'string', const: 'error', description: 'Tells success from error.' },
      msg: { type: 'string', description: 'What went wrong, for people; programs read code.' },
      code: { type: 'string', const: code, description: 'What went wrong, for programs.' },
      ...entry.fields?.properties,
    },
    examples: [exampleOf(code, entry)],
  }
}

/**
 * Adds a schema for every code and every union of codes, and gives every operation an answer for every status of its
 * codes.
 */
export function addErrorAnswers(document: Document, errors: ErrorTable): void {
  const { schemas } = document.components
  for (const [code, entry] of Object.entries(errors)) schemas[errorSchemaName(code)] = errorSchema(code, entry)
  for (const located of operationsOf(document)) {
    const { operation } = located
    const codes = errorCodesOf(operation)
    for (const code of codes)
      if (errors[code] === undefined) throw new Error(`${operation.operationId}: unknown error code ${code}`)
    const byStatus = Object.entries(Object.groupBy(codes, (code) => String(errors[code]?.status)))
    operation.responses = { ...operation.responses }
    for (const [status, group = []] of byStatus) {
      const name = unionName(group, `${operation.operationId}-${status}-error`)
      schemas[name] ??= errorUnion(group)
      operation.responses[status] ??= errorAnswer(group, name, errors)
    }
    const written = [...(operation['x-error-codes'] ?? []), ...wordForNumber(located, document)]
    for (const { code, status } of written.map(statusOf)) {
      if (status === undefined) continue
      const occasion = errors[code]?.otherStatuses?.[status]
      if (occasion === undefined)
        throw new Error(`${operation.operationId}: ${code} has no status ${status} in errors.yaml`)
      const answer = errorAnswer([code], errorSchemaName(code), errors)
      operation.responses[status] ??= { ...answer, description: `${code}: ${occasion}.` }
    }
    const general = errorAnswer(['BAD_REQUEST'], errorSchemaName('BAD_REQUEST'), errors)
    operation.responses['408'] ??= { ...general, description: 'The body arrives too slowly.' }
    operation.responses['413'] ??= { ...general, description: 'The body is larger than the server accepts.' }
    if (readsForm(located)) operation.responses['415'] ??= { ...general, description: 'The body is not a form.' }
  }
}

/** Parameters of the query are also read from a form, unless the method is GET. */
function readsForm({ method, operation }: LocatedOperation): boolean {
  const hasQuery = operation.parameters?.some((one) => one.in === 'query') ?? false
  return operation.requestBody?.content[FORM] !== undefined || (hasQuery && method !== 'get')
}

/**
 * The answer to a word where the path has a number: nothing is there, or, if another method of the path takes a word,
 * this method is not allowed.
 */
function wordForNumber({ item, operation }: LocatedOperation, { components: { schemas } }: Document): string[] {
  const hasNumber = ({ parameters = [] }: Operation): boolean =>
    parameters.some((one) => one.in === 'path' && resolved(one.schema, schemas).type === 'integer')
  if (!hasNumber(operation)) return []
  const methods = METHODS.flatMap((method) => item[method] ?? [])
  return methods.every(hasNumber) ? ['BAD_REQUEST 404'] : ['BAD_REQUEST 405']
}

/** Maximum number of members of a union that is named after them. */
const MAX_CODES_IN_NAME = 4

/**
 * A name for a union of errors: made from its members, so that all operations share it, or `own` if there are many.
 * Code generators repeat a union without a name wherever it occurs.
 */
function unionName(codes: readonly string[], own: string): string {
  return codes.length > MAX_CODES_IN_NAME ? pascalCase(own) : `${codes.map(pascalCase).join('Or')}Error`
}

function errorUnion(codes: readonly string[]): Schema {
  const references = codes.map((code) => LOCAL + errorSchemaName(code))
  return {
    description: `One of ${codes.join(', ')}.`,
    oneOf: references.map(($ref) => ({ $ref })),
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries(codes.map((code, index) => [code, references[index] ?? ''])),
    },
  }
}

/** @param schemaName schema of the body */
function errorAnswer(codes: string[], schemaName: string, errors: ErrorTable): Response {
  const entries = codes.flatMap((code) => (errors[code] === undefined ? [] : [{ code, ...errors[code] }]))
  const headers = Object.assign({}, ...entries.map((entry) => entry.headers ?? {})) as Record<string, unknown>
  return {
    description: entries
      .map(({ code, description }) => (entries.length === 1 ? description : `${code}: ${description}`))
      .join('\n'),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': {
        schema: { $ref: LOCAL + schemaName },
        examples: Object.fromEntries(entries.map((entry) => [entry.code, { value: exampleOf(entry.code, entry) }])),
      },
    },
  }
}

function exampleOf(code: string, entry: ErrorEntry): unknown {
  return { result: 'error', ...entry.example, code }
}
