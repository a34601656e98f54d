import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from './document.ts'
import { schema30 } from './wire30.ts'

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const schemas: Record<string, Schema> = {
  Id: { type: 'integer', format: 'int64', description: 'An ID.', examples: [7] },
  Kind: { type: 'string', enum: ['a', 'b'], description: 'A kind.' },
  Thing: { type: 'object', properties: { id: reference('Id') } },
  Things: { type: 'object', additionalProperties: reference('Thing') },
  Either: { anyOf: [reference('Id'), reference('Thing')] },
}

test('several types, null, constants, examples and JSON text', () => {
  assert.deepEqual(schema30({ type: ['string', 'null'] }), { type: 'string', nullable: true })
  assert.deepEqual(schema30({ type: ['string', 'integer'] }), { anyOf: [{ type: 'string' }, { type: 'integer' }] })
  const anyNullable = [
    { type: 'string', nullable: true },
    { type: 'integer', nullable: true },
  ]
  assert.deepEqual(schema30({ type: ['string', 'integer', 'null'], description: 'x' }), {
    description: 'x',
    anyOf: anyNullable,
  })
  assert.deepEqual(schema30({ type: 'string', const: 'error', examples: ['error', 'x'] }), {
    type: 'string',
    enum: ['error'],
    example: 'error',
  })
  assert.deepEqual(
    schema30({ type: 'string', contentMediaType: 'application/json', contentSchema: { type: ['array', 'null'] } }),
    { type: 'string', 'x-content-schema': { type: 'array', nullable: true } },
  )
})

test('a choice of null is nullable, and never a value of an enum', () => {
  assert.deepEqual(schema30({ description: 'x', anyOf: [reference('Kind'), { type: 'null' }] }, schemas), {
    allOf: [reference('Kind')],
    description: 'x',
    type: 'string',
    nullable: true,
  })
  assert.deepEqual(schema30({ anyOf: [{ type: 'integer', enum: [1, 2] }, { type: 'null' }] }), {
    type: 'integer',
    enum: [1, 2],
    nullable: true,
  })
})

test('beside a reference: values are written out, choices keep their name, objects and unions are wrapped', () => {
  const described = (name: string) => schema30({ ...reference(name), description: 'x' }, schemas)
  assert.deepEqual(schema30(reference('Id'), schemas), reference('Id'))
  assert.deepEqual(described('Id'), { type: 'integer', format: 'int64', description: 'x', example: 7 })
  assert.deepEqual(described('Kind'), reference('Kind'))
  assert.deepEqual(described('Thing'), { allOf: [reference('Thing')], description: 'x' })
  assert.deepEqual(described('Either'), { allOf: [reference('Either')], description: 'x' })
})

test('a union of maps is free', () => {
  const maps = { description: 'x', anyOf: [reference('Things'), reference('Things')] }
  assert.deepEqual(schema30(maps, schemas), { description: 'x', type: 'object', additionalProperties: true })
  assert.deepEqual(schema30({ anyOf: [reference('Things'), reference('Thing')] }, schemas).anyOf?.length, 2)
})
