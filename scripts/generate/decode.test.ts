import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parsedText } from './decode.ts'
import { decodedDocument, requestsDocument } from './decoded.ts'
import type { Operation, Schema } from './document.ts'
import { METHODS, operationsOf } from './document.ts'
import { dereferenced, readSource } from './source.ts'
import { wireDocument } from './wire.ts'

const decoded = decodedDocument(
  await dereferenced(wireDocument(await readSource(join(import.meta.dirname, '../../openapi')))),
)

function operation(id: string): Operation {
  const found = operationsOf(decoded).find((one) => one.operation.operationId === id)
  assert.ok(found, `no operation ${id}`)
  return found.operation
}

function input(id: string): Schema {
  const schema = operation(id).requestBody?.content['application/json']?.schema
  assert.ok(schema)
  return schema
}

function accepts(schema: Schema, value: unknown): boolean {
  return new Ajv2020({ strict: false, validateFormats: false }).validate(schema, value)
}

test('tell how each kind of parameter is read', () => {
  const { to, topic, type, read_by_sender } = operation('send-message')['x-decode'] ?? {}
  assert.deepEqual(to, {
    in: 'form',
    as: 'json-or-string',
    type: ['integer', 'string', 'array'],
    aliases: [],
    once: true,
  })
  assert.deepEqual(topic, { in: 'form', as: 'string', type: 'string', aliases: ['subject'], nullBytes: true })
  assert.deepEqual(type, { in: 'form', as: 'string', type: 'string', aliases: [] })
  assert.deepEqual(read_by_sender, { in: 'form', as: 'json', type: 'boolean', aliases: [] })
  assert.deepEqual(operation('get-messages')['x-decode']?.narrow, {
    in: 'query',
    as: 'json',
    type: 'array',
    aliases: [],
    anyInteger: true,
  })
  assert.deepEqual(operation('update-subscription-setting')['x-decode']?.value, {
    in: 'form',
    as: 'json-or-verbatim',
    type: ['boolean', 'string'],
    aliases: [],
  })
  assert.deepEqual(operation('get-message')['x-decode']?.message_id, {
    in: 'path',
    as: 'json',
    type: 'integer',
    aliases: [],
  })
})

test('take an alias out of the input', () => {
  const names = Object.keys(input('send-message').properties ?? {})
  assert.ok(names.includes('topic'))
  assert.ok(!names.includes('subject'))
})

test('leave no reference, no parameter list and no JSON text', () => {
  const text = JSON.stringify(decoded)
  for (const word of ['$ref', 'contentSchema', 'x-raw-string', '"parameters":[']) assert.ok(!text.includes(word), word)
})

test('keep what authorization and routing need', () => {
  const { 'x-minimum-role': role, 'x-error-codes': codes } = operation('create-user')
  assert.deepEqual({ role, codes }, { role: 'administrator', codes: ['UNAUTHORIZED_PRINCIPAL'] })
  assert.equal(operation('get-health')['x-envelope'], false)
  assert.deepEqual(operation('fetch-api-key').security, [])
})

test('turn a default of JSON text into its value', () => {
  assert.deepEqual(input('get-messages').properties?.narrow?.default, [])
  assert.equal(input('get-messages').properties?.include_anchor?.default, true)
  assert.equal(input('get-subscriptions').properties?.include_subscribers?.default, 'false')
})

test('give the queue parameters of GET /events no default', () => {
  const withDefault = Object.entries(input('get-events').properties ?? {}).filter(([, schema]) => 'default' in schema)
  assert.deepEqual(
    withDefault.map(([name]) => name),
    ['dont_block'],
  )
})

test('accept decoded values and refuse others', () => {
  const schema = input('get-messages')
  for (const narrow of [
    [],
    [['stream', 'design']],
    [{ operator: 'dm', operand: [9, 11], negated: true }],
    [{ operator: 'colour', operand: 'red' }],
  ]) {
    assert.ok(accepts(schema, { narrow }), JSON.stringify(narrow))
  }
  for (const narrow of [
    '[]',
    [['stream']],
    [{ operator: 'dm' }],
    [{ operator: 'topic', operand: 'x', negated: 'yes' }],
  ]) {
    assert.ok(!accepts(schema, { narrow }), JSON.stringify(narrow))
  }
  for (const anchor of [43, 0, 'newest', 'first_unread']) assert.ok(accepts(schema, { anchor }), String(anchor))
  for (const anchor of ['latest', 1.5, null]) assert.ok(!accepts(schema, { anchor }), String(anchor))
})

test('flatten an answer with its envelope and close it', () => {
  const schema = operation('register-queue').responses['200']?.content?.['application/json']?.schema ?? {}
  assert.deepEqual(schema.required, [
    'result',
    'msg',
    'queue_id',
    'last_event_id',
    'idle_queue_timeout_secs',
    'zulip_version',
    'zulip_merge_base',
    'zulip_feature_level',
  ])
  assert.equal(schema.additionalProperties, false)
  assert.ok(schema.properties?.ignored_parameters_unsupported)
  assert.ok(schema.properties?.realm_name)
  assert.ok(schema.properties?.realm_users)
})

test('let error answers through by their code', () => {
  const schema = operation('send-message').responses['400']?.content?.['application/json']?.schema ?? {}
  const error = { result: 'error', msg: 'x' }
  assert.ok(accepts(schema, { ...error, code: 'REQUEST_VARIABLE_MISSING', var_name: 'to' }))
  assert.ok(!accepts(schema, { ...error, code: 'REQUEST_VARIABLE_MISSING' }))
  assert.ok(!accepts(schema, { ...error, code: 'BAD_NARROW', desc: 'x' }), 'a code that the operation does not answer')
})

test('read text as its rule says', () => {
  assert.equal(parsedText('[1]', { as: 'string' }), '[1]')
  assert.deepEqual(parsedText('[1]', { as: 'json' }), [1])
  assert.throws(() => parsedText('mobile', { as: 'json' }), SyntaxError)
  assert.equal(parsedText('mobile', { as: 'json-or-string' }), 'mobile')
  assert.equal(parsedText('"mobile"', { as: 'json-or-string' }), 'mobile')
})

test('requests.json is decoded.json without answers, and leaves that as it is', () => {
  const before = JSON.stringify(decoded)
  const requests = requestsDocument(decoded)
  assert.equal(JSON.stringify(decoded), before)
  for (const [path, item] of Object.entries(decoded.paths)) {
    for (const method of METHODS) {
      const operation = item[method]
      const request = requests.paths[path]?.[method]
      assert.deepEqual(request?.responses, operation && {}, `${method} ${path}`)
      assert.deepEqual(request && { ...request, responses: operation?.responses }, operation, `${method} ${path}`)
    }
  }
})
