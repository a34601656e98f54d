import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { EVENT_TYPES } from './event-types.ts'

test('know every type of the contract, which queues could not select otherwise', async () => {
  const file = join(import.meta.dirname, '../../generated/wire.json')
  const { schemas } = JSON.parse(await readFile(file, 'utf8')).components
  const types = schemas.Event.oneOf.map(({ $ref }: { $ref: string }) => schemas[$ref.split('/').at(-1) ?? ''])
  const named: string[] = types.map(
    ({ properties }: { properties: { type: { const: string } } }) => properties.type.const,
  )
  const missing = named.filter((type) => !EVENT_TYPES.includes(type))
  assert.deepEqual(missing, [], 'add them to EVENT_TYPES in domain/events/event-types.ts')
})
