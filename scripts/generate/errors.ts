import type { Document, Operation, Response, Schema } from './document.ts'
import { FORM, formOf } from './document.ts'

/** One entry of `openapi/errors.yaml`. */
export interface ErrorEntry {
  status: number
  /** Statuses under which the code is also answered, with the occasion. */
  otherStatuses?: Record<string, string>
  description: string
  /** Pattern of the message; `{x}` is filled in. */
  message: string
  /** Further fields at the top level of the answer. */
  fields?: Schema
  headers?: Record<string, unknown>
  /** An answer without `result` and `code`. */
  example: Record<string, unknown>
}

export type ErrorTable = Record<string, ErrorEntry>

/**
 * Every code that an operation answers: its own `x-error-codes`, and those that come without being written down:
 * - INTERNAL_SERVER_ERROR and BAD_REQUEST everywhere (any query may be malformed), and nothing else where there is no envelope;
 * - RATE_LIMIT_HIT;
 * - REQUEST_VARIABLE_MISSING where a parameter is required, REQUEST_CONFUSING_VAR where one has an alias;
 * - UNAUTHORIZED, INVALID_API_KEY and USER_DEACTIVATED where credentials are needed.
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
  if (operation.security?.length !== 0) codes.add('UNAUTHORIZED').add('INVALID_API_KEY').add('USER_DEACTIVATED')
  return [...codes].sort()
}

/** `BAD_REQUEST 404` in `x-error-codes`: the code under another status than its usual one. */
function statusOf(written: string): { code: string; status: string | undefined } {
  const [code = '', status] = written.split(' ')
  return { code, status }
}

/** `BAD_REQUEST` → `BadRequestError`. */
function errorSchemaName(code: string): string {
  const words = code.toLowerCase().split('_')
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`
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

/** Adds a schema for every code and, to every operation, an answer for every status that its codes have. */
export function addErrorAnswers(document: Document, operations: Iterable<Operation>, errors: ErrorTable): void {
  for (const [code, entry] of Object.entries(errors)) {
    document.components.schemas[errorSchemaName(code)] = errorSchema(code, entry)
  }
  for (const operation of operations) {
    const codes = errorCodesOf(operation)
    for (const code of codes)
      if (errors[code] === undefined) throw new Error(`${operation.operationId}: unknown error code ${code}`)
    const byStatus = Object.entries(Object.groupBy(codes, (code) => String(errors[code]?.status)))
    operation.responses = { ...operation.responses }
    for (const [status, group = []] of byStatus) operation.responses[status] ??= errorAnswer(group, errors)
    for (const { code, status } of (operation['x-error-codes'] ?? []).map(statusOf)) {
      if (status === undefined) continue
      const occasion = errors[code]?.otherStatuses?.[status]
      if (occasion === undefined)
        throw new Error(`${operation.operationId}: ${code} has no status ${status} in errors.yaml`)
      operation.responses[status] ??= { ...errorAnswer([code], errors), description: `${code}: ${occasion}.` }
    }
    if (operation.requestBody?.content[FORM] !== undefined) {
      const general = errorAnswer(['BAD_REQUEST'], errors)
      operation.responses['413'] ??= { ...general, description: 'The body is larger than the server accepts.' }
      operation.responses['415'] ??= { ...general, description: 'The body is no form.' }
    }
  }
}

function errorAnswer(codes: string[], errors: ErrorTable): Response {
  const entries = codes.flatMap((code) => (errors[code] === undefined ? [] : [{ code, ...errors[code] }]))
  const references = codes.map((code) => ({ $ref: `#/components/schemas/${errorSchemaName(code)}` }))
  const [only] = references
  const schema: Schema =
    references.length === 1 && only !== undefined
      ? only
      : {
          oneOf: references,
          discriminator: {
            propertyName: 'code',
            mapping: Object.fromEntries(codes.map((code) => [code, `#/components/schemas/${errorSchemaName(code)}`])),
          },
        }
  const headers = Object.assign({}, ...entries.map((entry) => entry.headers ?? {})) as Record<string, unknown>
  return {
    description: entries
      .map(({ code, description }) => (entries.length === 1 ? description : `${code}: ${description}`))
      .join('\n'),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(entries.map((entry) => [entry.code, { value: exampleOf(entry.code, entry) }])),
      },
    },
  }
}

function exampleOf(code: string, entry: ErrorEntry): unknown {
  return { result: 'error', ...entry.example, code }
}
