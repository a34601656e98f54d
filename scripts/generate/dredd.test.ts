import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Document, Schema } from './document.ts'
import { operationsOf } from './document.ts'
import { dreddDocument } from './dredd.ts'

/** The answer of a small contract's only operation, as Dredd reads it. */
function answering(schema: Schema, example: unknown, level = 100): { schema: Schema; example?: unknown } {
  const responses = {
    200: { description: 'Done.', content: { 'application/json': { schema, example } } },
    400: { description: 'Wrong.' },
  }
  const document = {
    info: { title: 'Small', version: '100' },
    paths: { '/it': { post: { operationId: 'do-it', responses } } },
    components: { schemas: {} },
  } as unknown as Document
  const [found] = operationsOf(dreddDocument(document, level))
  return found?.operation.responses['200']?.content?.['application/json'] ?? assert.fail()
}

test('merges allOf, takes the first branch of a choice, and of an answer what is required', () => {
  const { schema, example } = answering(
    {
      allOf: [
        {
          type: 'object',
          required: ['result'],
          properties: { result: { type: 'string', const: 'success' }, ignored: { type: 'array' } },
        },
        {
          type: 'object',
          required: ['one', 'some', 'either'],
          properties: {
            one: {
              type: 'object',
              required: ['id'],
              properties: { id: { type: 'integer' }, more: { type: 'integer' } },
            },
            some: { type: 'array', items: { type: 'object', required: ['a'], properties: { a: {}, b: {} } } },
            either: { oneOf: [{ type: 'integer' }, { type: 'object' }] },
          },
        },
      ],
    },
    { result: 'success', ignored: [], one: { id: 1, more: 2 }, some: [{ a: 1, b: 2 }, { a: 3 }], either: {} },
  )
  assert.deepEqual(schema, {
    type: 'object',
    required: ['result', 'one', 'some', 'either'],
    properties: {
      result: { type: 'string', enum: ['success'] },
      one: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
      some: { type: 'array', items: { type: 'object', required: ['a'], properties: { a: {} } } },
      either: { type: 'integer' },
    },
  })
  // Null where the type is open: Dredd requires lists and objects of the example to stay such, with all of their keys.
  assert.deepEqual(example, { result: 'success', one: { id: 1 }, some: [{ a: null }], either: null })
})

test('wants no key of a map, and nothing of an item that can be of several types', () => {
  const map: Schema = { type: 'object', additionalProperties: { type: 'integer' } }
  const mixed: Schema = { type: 'array', items: { type: ['string', 'integer'] } }
  const properties = { map, mixed, nullable: { type: ['object', 'null'] } as Schema }
  const { example } = answering(
    { type: 'object', required: ['map', 'mixed', 'nullable'], properties },
    { map: { a: 1 }, mixed: ['a', 1], nullable: { b: 1 } },
  )
  assert.deepEqual(example, { map: {}, mixed: [], nullable: null })
})

test('wants of an older server what existed at its level', () => {
  const at = (level: number) => {
    const { schema, example } = answering(
      {
        type: 'object',
        required: ['always', 'later', 'once'],
        properties: {
          always: { type: 'integer' },
          later: { type: 'integer', 'x-feature-level': { from: 50 } },
          once: { type: 'integer', 'x-feature-level': { until: 49 } },
        },
      },
      { always: 1, later: 2, once: 3 },
      level,
    )
    return [schema.required, Object.keys(example as object)]
  }
  assert.deepEqual(at(49), [
    ['always', 'once'],
    ['always', 'once'],
  ])
  assert.deepEqual(at(50), [
    ['always', 'later'],
    ['always', 'later'],
  ])
})
