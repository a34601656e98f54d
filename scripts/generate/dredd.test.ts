import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Document, Operation, Schema } from './document.ts'
import { formOf, operationsOf } from './document.ts'
import { dreddDocument } from './dredd.ts'
import { dereferenced, readSource } from './source.ts'
import { wireDocument } from './wire.ts'

const wire = wireDocument(await readSource(join(import.meta.dirname, '../../openapi')))
const whole = dreddDocument(await dereferenced(wire))

/** The only operation of a small contract, as Dredd reads it. */
function small(operation: Partial<Operation>, level = 100): { path: string; operation: Operation } {
  const made = {
    operationId: 'do-it',
    responses: { 200: { description: 'Done.', content: { 'application/json': { schema: { type: 'object' } } } } },
    ...operation,
  }
  const document = {
    info: { title: 'Small', version: '100' },
    servers: [{ url: '{base_url}' }],
    paths: { '/it/{id}': { post: made } },
    components: { schemas: {} },
  } as unknown as Document
  const [found, ...others] = operationsOf(dreddDocument(document, level))
  assert.ok(found !== undefined && others.length === 0)
  return found
}

function answering(schema: Schema, example: unknown, level?: number): { schema: Schema; example?: unknown } {
  const responses = {
    200: { description: 'Done.', content: { 'application/json': { schema, example } } },
    206: { description: 'A part.' },
    400: { description: 'Wrong.' },
  }
  const { operation } = small({ responses }, level)
  assert.deepEqual(Object.keys(operation.responses), ['200'])
  const media = operation.responses['200']?.content?.['application/json']
  assert.ok(media)
  return media
}

test('has every operation once, under its whole path and its id', () => {
  const { path, operation } = small({ 'x-minimum-role': 'guest', tags: ['it'], security: [] })
  assert.equal(path, '/it/{id}')
  assert.deepEqual(Object.keys(operation), ['operationId', 'summary', 'responses'])
  assert.equal(operation.summary, 'do-it')
  const ids = (document: Document) =>
    operationsOf(document).flatMap(({ operation: one }) => (one['x-ends-service'] ? [] : [one.operationId]))
  assert.deepEqual(ids(whole), ids(wire))
  assert.equal(operationsOf(whole).length, ids(whole).length, 'nothing that ends the service')
  assert.ok(!ids(whole).includes('deactivate-realm'))
})

test('has nothing in it that Dredd does not understand', () => {
  const names = new Set<string>()
  JSON.stringify(whole, (name, value) => {
    if (name !== 'example') {
      names.add(name)
      return value
    }
  })
  for (const unknown of [
    '$ref',
    'allOf',
    'oneOf',
    'anyOf',
    'const',
    'examples',
    'contentSchema',
    'format',
    'security',
  ]) {
    assert.ok(!names.has(unknown), unknown)
  }
  assert.deepEqual(
    [...names].filter((name) => name.startsWith('x-')),
    [],
  )
})

test('has an example for everything that is sent, JSON as text', () => {
  const json: Schema = { type: 'string', contentMediaType: 'application/json', contentSchema: { type: 'array' } }
  const { operation } = small({
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'ids', in: 'query', example: '[1,2]', schema: json },
    ],
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            properties: { text: { type: 'string', examples: ['a text'] }, kind: { enum: ['b'] } },
          },
        },
      },
    },
  })
  assert.deepEqual(operation.parameters, [
    { name: 'id', in: 'path', required: true, example: 1, schema: { type: 'integer' } },
    { name: 'ids', in: 'query', example: '[1,2]', schema: { type: 'string' } },
  ])
  assert.deepEqual(formOf(operation)?.properties, {
    text: { type: 'string', example: 'a text' },
    kind: { enum: ['b'], example: 'b' },
  })
  const lacking = operationsOf(whole).flatMap(({ operation: { operationId, parameters = [], requestBody } }) => [
    ...parameters.filter(({ example }) => example === undefined).map(({ name }) => `${operationId} ${name}`),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema: { properties = {} } }) =>
      Object.entries(properties)
        .filter(([, { example }]) => example === undefined)
        .map(([name]) => `${operationId} ${name}`),
    ),
  ])
  assert.deepEqual(lacking, [])
})

test('merges allOf, takes the first branch of a choice, and of an answer what is required', () => {
  const { schema, example } = answering(
    {
      allOf: [
        {
          type: 'object',
          required: ['result'],
          properties: { result: { const: 'success' }, ignored: { type: 'array' } },
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
      result: { enum: ['success'] },
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

test('says nothing of bytes and texts, which Dredd would compare', () => {
  const content = { 'application/octet-stream': { schema: { type: 'string' as const }, example: 'bytes' } }
  const { operation } = small({ responses: { 200: { description: 'A file.', content } } })
  assert.deepEqual(operation.responses, { 200: { description: 'A file.' } })
  assert.deepEqual(whole.paths['/metrics']?.get?.responses['200']?.content, { 'text/plain': {} })
})

test('refuses what it cannot write', () => {
  assert.throws(
    () => answering({ allOf: [{ type: 'object' }, { oneOf: [{ type: 'string' }] }] }, {}),
    /cannot be merged/,
  )
  assert.throws(() => small({ responses: { 400: { description: 'Wrong.' } } }), /do-it has no success answer/)
})
