import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Operation } from './document.ts'
import { operationsOf } from './document.ts'
import { readSource } from './source.ts'
import { wireDocument } from './wire.ts'

const wire = wireDocument(await readSource(join(import.meta.dirname, '../../openapi')))

function operation(id: string): Operation {
  return operationsOf(wire).find((one) => one.operation.operationId === id)?.operation ?? assert.fail(id)
}

/** Name of an answer's schema; undefined if there is no such answer. */
function answerName(id: string, status: number): string | undefined {
  const schema = operation(id).responses[status]?.content?.['application/json']?.schema
  return schema?.$ref?.split('/').at(-1)
}

test('every answer in JSON has a name, so no generator invents one', () => {
  const nameless = operationsOf(wire).flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses)
      .filter(
        ([, { content }]) => content?.['application/json'] && content['application/json'].schema.$ref === undefined,
      )
      .map(([status]) => `${operationId} ${status}`),
  )
  assert.deepEqual(nameless, [])
  assert.equal(answerName('send-message', 200), 'SendMessageAnswer')
  assert.equal(answerName('delete-message', 200), 'Success')
})

test('a union of errors is shared by all that answer it, and named after its members unless they are many', () => {
  const { schemas } = wire.components
  assert.equal(answerName('get-message', 400), 'BadRequestError')
  assert.equal(answerName('render-message', 400), 'BadRequestOrRequestVariableMissingError')
  assert.equal(answerName('add-submessage', 400), 'BadRequestOrRequestVariableMissingError')
  assert.equal(answerName('send-message', 400), 'SendMessage400Error')
  assert.deepEqual(schemas.BadRequestOrRequestVariableMissingError?.discriminator, {
    propertyName: 'code',
    mapping: {
      BAD_REQUEST: '#/components/schemas/BadRequestError',
      REQUEST_VARIABLE_MISSING: '#/components/schemas/RequestVariableMissingError',
    },
  })
})

test('a word for a number in the path is an unknown URL or, where another method takes words, a method that it lacks', () => {
  const notFound = operation('get-message').responses['404']
  assert.equal(notFound?.description, 'BAD_REQUEST: no such URL or resource.')
  assert.equal(answerName('get-message', 404), 'BadRequestError')
  assert.equal(answerName('get-stream', 404), 'BadRequestError', 'the number may be a named schema')
  assert.equal(answerName('get-messages', 404), undefined)
  assert.equal(answerName('get-user', 404), undefined)
  assert.deepEqual(
    [answerName('deactivate-user', 404), answerName('deactivate-user', 405)],
    [undefined, 'BadRequestError'],
  )
})
