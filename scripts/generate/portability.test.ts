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

test('report an array without item type, null in an enum, and a field of mixed types', () => {
  const wrapped = { allOf: [{ $ref: '#/components/schemas/UserId' }], description: 'x' }
  const problems = problemsAfter((document) => {
    const { schemas } = document.components
    delete schemas.RegisterQueueAnswer?.properties?.realm_filters?.items
    schemas.BotType?.enum?.push(null)
    Object.assign(form(document, 'send-message'), { to: wrapped })
  })
  assert.deepEqual(problems.toSorted(), [
    'BotType: null is among the values of an enum',
    'RegisterQueueAnswer: an array does not say of what',
    'send-message to: a field of a form is not one value',
  ])
})
