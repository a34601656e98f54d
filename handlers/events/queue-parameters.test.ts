import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Answer, onEachDatabase, sharedParley } from '../../server/testing.ts'

type Json = Answer['body']

const NOT_OF_A_QUEUE = ['queue_id', 'last_event_id', 'dont_block']

test('the contract gives GET /events every parameter of POST /register, with its schema (EVENTS-12)', () => {
  const file = join(import.meta.dirname, '../../generated/wire.json')
  const { paths } = JSON.parse(readFileSync(file, 'utf8'))
  const form = paths['/api/v1/register'].post.requestBody.content['application/x-www-form-urlencoded'].schema
  const query: Json[] = paths['/api/v1/events'].get.parameters
  const ofQueue = query.filter(({ name }) => !NOT_OF_A_QUEUE.includes(name))
  const schemaOf = ({ schema, content }: Json) => schema ?? content['application/json'].schema
  assert.deepEqual(
    Object.fromEntries(ofQueue.map((one) => [one.name, schemaOf(one).$ref])),
    Object.fromEntries(Object.entries<Json>(form.properties).map(([name, { $ref }]) => [name, $ref])),
  )
})

onEachDatabase('parameters of a queue', (dialect) => {
  const parley = sharedParley(dialect)

  test('each of them alone makes GET /events register a queue', async () => {
    const member = (await parley()).as('member')
    for (const parameters of [
      { apply_markdown: false },
      { client_gravatar: true },
      { include_subscribers: 'false' },
      { slim_presence: true },
      { presence_history_limit_days: 7 },
      { event_types: [] },
      { fetch_event_types: [] },
      { all_public_streams: false },
      { narrow: [] },
      { client_capabilities: { notification_settings_null: true } },
      { idle_queue_timeout: 60 },
      { queue_lifespan_secs: 60 },
    ] as const) {
      const body = await member.must('GET', '/events', parameters)
      assert.deepEqual([body.events, typeof body.queue_id], [[], 'string'], JSON.stringify(parameters))
      assert.equal(body.ignored_parameters_unsupported, undefined)
      await member.must('DELETE', '/events', { queue_id: body.queue_id })
    }
  })
})
