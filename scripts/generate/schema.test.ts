import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flattened } from './schema.ts'

test('merge references inside of allOf, and mark their properties with feature levels', () => {
  const schemas = {
    Id: { type: 'integer' as const },
    Old: { type: 'object' as const, properties: { id: { $ref: '#/components/schemas/Id' } } },
    New: {
      allOf: [
        {
          type: 'object' as const,
          'x-feature-level': { from: 49 },
          properties: {
            a: { type: 'string' as const },
            b: { type: 'string' as const, 'x-feature-level': { from: 88 } },
          },
        },
      ],
    },
  }
  const parts = ['Old', 'New'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  assert.deepEqual(flattened({ allOf: parts, description: 'Both.' }, schemas), {
    description: 'Both.',
    type: 'object',
    properties: {
      id: { $ref: '#/components/schemas/Id' },
      a: { 'x-feature-level': { from: 49 }, type: 'string' },
      b: { 'x-feature-level': { from: 88 }, type: 'string' },
    },
  })
})
