import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from './document.ts'
import { schema30 } from './wire30.ts'

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const schemas: Record<string, Schema> = {
  Kind: { type: 'string', enum: ['a', 'b'] },
  Thing: { type: 'object', properties: { kind: reference('Kind') } },
  Things: { type: 'object', additionalProperties: reference('Thing') },
}

test('a choice with null is nullable, and null is never in an enum', () => {
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

test('an integer that may exceed 32 bits says so', () => {
  const format = (schema: Schema) => schema30({ type: 'integer', ...schema }).format
  assert.deepEqual([{}, { maximum: 2 ** 31 }].map(format), ['int64', 'int64'])
  assert.deepEqual([{ maximum: 5 }, { enum: [1, 2] }].map(format), [undefined, undefined])
})

test('a union of maps is unrestricted', () => {
  const maps = { description: 'x', anyOf: [reference('Things'), reference('Things')] }
  assert.deepEqual(schema30(maps, schemas), { description: 'x', type: 'object', additionalProperties: true })
  assert.deepEqual(schema30({ anyOf: [reference('Things'), reference('Thing')] }, schemas).anyOf?.length, 2)
})
