import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodedDocument } from './decoded.ts'
import type { Operation } from './document.ts'
import { operationsOf } from './document.ts'
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

test('turn a default of JSON text into its value', () => {
  const { properties = {} } = operation('get-messages').requestBody?.content['application/json']?.schema ?? {}
  assert.deepEqual([properties.narrow?.default, properties.include_anchor?.default], [[], true])
})
