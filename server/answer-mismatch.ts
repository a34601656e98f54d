import type { ErrorObject } from 'ajv'
import { constantsOf, decisiveErrors } from './parameter-errors.ts'

/** An answer that does not fit the contract: a bug of ours, found with PARLEY_CHECK_ANSWERS. */
export class AnswerMismatchError extends Error {
  override readonly name = 'AnswerMismatchError'
  readonly operationId: string
  readonly status: number
  /** JSON pointer into the answer. */
  readonly pointer: string
  constructor(operationId: string, status: number, pointer: string, expected: string, got: unknown) {
    super(`${operationId} ${status}: ${pointer || 'answer'}: expected ${expected}, got ${shown(got)}`)
    this.operationId = operationId
    this.status = status
    this.pointer = pointer
  }
}

/** @param errors of one validation by an Ajv with `verbose` that stopped at its first failure */
export function answerMismatch(
  operationId: string,
  status: number,
  errors: readonly ErrorObject[],
): AnswerMismatchError {
  const causes = decisiveErrors(errors)
  const [first] = causes
  if (first === undefined) throw new Error('an answer was refused without an error')
  const expected = [...new Set(causes.map(expectation))].join(' or ')
  return new AnswerMismatchError(operationId, status, first.instancePath, expected, first.data)
}

function expectation({ keyword, params, schema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return `a field "${params.missingProperty}"`
    case 'additionalProperties':
      return `no field "${params.additionalProperty}"`
    case 'unevaluatedProperties':
      return `no field "${params.unevaluatedProperty}"`
    case 'anyOf':
    case 'oneOf':
      return params.passingSchemas ? 'one alternative only' : `one of ${alternatives(schema as object[])}`
    default:
      return `${keyword} ${shown(schema)}`
  }
}

/** Names alternatives by their constants, such as `type "stream", op "create"`, or by their schema. */
function alternatives(schemas: readonly object[]): string {
  return schemas
    .map(
      (schema) =>
        constantsOf(schema)
          .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
          .join(', ') || shown(schema),
    )
    .join(' | ')
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
