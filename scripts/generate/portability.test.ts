import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Document, Schema } from './document.ts'
import { formOf, operationsOf } from './document.ts'
import { portabilityProblems } from './portability.ts'
import { readSource } from './source.ts'
import { wireDocument } from './wire.ts'
import { wire30Document } from './wire30.ts'

const wire30 = wire30Document(wireDocument(await readSource(join(import.meta.dirname, '../../openapi'))))

/** Problems of the document after a change. */
function problemsAfter(change: (document: Document) => void): string[] {
  const copy = structuredClone(wire30)
  change(copy)
  return portabilityProblems(copy)
}

function form(document: Document, id: string): Record<string, Schema> {
  const { operation } = operationsOf(document).find((one) => one.operation.operationId === id) ?? assert.fail(id)
  return formOf(operation)?.properties ?? assert.fail(id)
}

test('accept the contract as it is', () => assert.deepEqual(portabilityProblems(wire30), []))

test('notice an array that does not say of what', () => {
  const problems = problemsAfter(({ components: { schemas } }) => {
    delete schemas.RegisterQueueAnswer?.properties?.realm_filters?.items
  })
  assert.deepEqual(problems, ['RegisterQueueAnswer: an array does not say of what'])
})

test('notice null among the values of an enum', () => {
  const problems = problemsAfter(({ components: { schemas } }) => schemas.BotType?.enum?.push(null))
  assert.deepEqual(problems, ['BotType: null is among the values of an enum'])
})

test('notice a field of a form that is not one value', () => {
  const wrapped = { allOf: [{ $ref: '#/components/schemas/UserId' }], description: 'x' }
  const problems = problemsAfter((document) => Object.assign(form(document, 'send-message'), { to: wrapped }))
  assert.deepEqual(problems, ['send-message to: a field of a form is not one value'])
})

test('notice a union of maps', () => {
  const map: Schema = { type: 'object', additionalProperties: { type: 'string' } }
  const problems = problemsAfter(({ components: { schemas } }) =>
    Object.assign(schemas.RegisterQueueAnswer?.properties ?? {}, { presences: { anyOf: [map, map] } }),
  )
  assert.deepEqual(problems, ['RegisterQueueAnswer: a union has several maps'])
})

test('notice servers of a path or an operation', () => {
  const problems = problemsAfter(({ paths }) => {
    Object.assign(paths['/health'] ?? {}, { servers: [] })
    Object.assign(paths['/metrics']?.get ?? {}, { servers: [] })
  })
  assert.deepEqual(problems, ['/health: has servers of its own', 'get-metrics: has servers of its own'])
})
