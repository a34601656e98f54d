import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

const NOT_OF_A_QUEUE = ['queue_id', 'last_event_id', 'dont_block']

test('the contract gives GET /events every parameter of POST /register (EVENTS-12)', () => {
  const file = join(import.meta.dirname, '../../generated/wire.json')
  const { paths } = JSON.parse(readFileSync(file, 'utf8'))
  const form = paths['/api/v1/register'].post.requestBody.content['application/x-www-form-urlencoded'].schema
  const query = paths['/api/v1/events'].get.parameters.map(({ name }: { name: string }) => name)
  assert.deepEqual(
    query.filter((name: string) => !NOT_OF_A_QUEUE.includes(name)).toSorted(),
    Object.keys(form.properties).toSorted(),
  )
})

onEachDatabase('parameters of a queue', (dialect) => {
  const parley = sharedParley(dialect)

  test('each of them alone makes GET /events open a queue', async () => {
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

  test('client_capabilities names notification_settings_null, as clients always did', async () => {
    const member = (await parley()).as('member')
    for (const client_capabilities of [{}, { bulk_message_deletion: true }]) {
      for (const { status, body } of [
        await member.post('/register', { client_capabilities }),
        await member.get('/events', { client_capabilities }),
      ]) {
        assert.deepEqual(
          [status, body.code, body.msg],
          [400, 'BAD_REQUEST', 'client_capabilities["notification_settings_null"] field is missing'],
        )
      }
    }
  })
})
