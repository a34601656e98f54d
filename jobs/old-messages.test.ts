import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_SECONDS } from '../domain/clock.ts'
import { ROLE } from '../domain/users/roles.ts'
import { type ApiClient, type Heard, onEachDatabase, type TestServer } from '../server/testing.ts'
import { startWithMovedClock } from './moved-clock-testing.ts'

/** Returns the IDs of all messages. */
async function idsOf(server: TestServer): Promise<number[]> {
  const ids: number[] = []
  await server.inDatabase(async ({ knex }) => {
    for (const id of await knex('message').orderBy('id').pluck('id')) ids.push(Number(id))
  })
  return ids
}

onEachDatabase('messages beyond the retention period', (dialect) => {
  test('stay while the organization is deactivated (DIFF-DEACTIVATION)', async (t) => {
    const { server, pass, runJobs } = await startWithMovedClock(t, dialect)
    const owner = server.as('owner')
    await owner.must('PATCH', '/realm', { message_retention_days: 8 })
    const before = await idsOf(server)
    await owner.must('POST', '/realm/deactivate')
    pass(9)
    await runJobs()
    assert.ok(before.length > 0)
    assert.deepEqual(await idsOf(server), before)
  })

  test('have one event for each file', async (t) => {
    const { server, pass, runJobs } = await startWithMovedClock(t, dialect)
    const owner = server.as('owner')
    await owner.must('PATCH', '/realm', { message_retention_days: 8 })
    const content = `[a](${(await owner.upload('a.txt', 'x')).body.url})`
    for (let count = 0; count < 2; count += 1) {
      await owner.must('POST', '/messages', { type: 'direct', to: [server.credentials.users.owner?.user_id], content })
    }
    pass(5)
    const heard = await owner.listen(['attachment'], { queue_lifespan_secs: 30 * DAY_SECONDS })
    pass(4)
    await runJobs()
    assert.deepEqual(
      (await heard()).map(({ attachment }) => attachment.message_ids),
      [[]],
    )
  })

  test('are removed in channels and conversations, and clients are told', async (t) => {
    const { server, pass, runJobs } = await startWithMovedClock(t, dialect)
    const { users } = server.credentials
    const owner = server.as('owner')
    const made = async (name: string, message_retention_days: string | number) => {
      await owner.must('POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [users.owner?.user_id, users.member?.user_id],
        message_retention_days,
      })
      return (await owner.must('GET', '/get_stream_id', { stream: name })).stream_id
    }
    const send = async (to: unknown, type = 'channel') =>
      (await server.as('member').must('POST', '/messages', { type, to, topic: 'x', content: 'x' })).id
    const isThere = async (id: number) => (await owner.get(`/messages/${id}`)).status === 200
    const firstOf = async (id: number) => (await owner.must('GET', `/streams/${id}`)).stream.first_message_id
    const listen = (user: ApiClient, event_types: string[]) =>
      user.listen(event_types, {
        client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
        queue_lifespan_secs: 30 * DAY_SECONDS,
      })
    /** Collects the events about messages until this one is deleted. */
    const heard = async ({ until }: Heard, gone: unknown) => {
      const events = await until((all) => all.some(({ message_ids: ids }) => ids?.includes(gone)))
      return events.filter(({ type, property }) => type === 'delete_message' || property === 'first_message_id')
    }

    const [short, kept, usual] = [
      await made('short', 10),
      await made('kept', 'unlimited'),
      await made('usual', 'realm_default'),
    ]
    const old = [await send(short), await send(short)]
    const others = [await send(kept), await send(usual), await send([users.owner?.user_id], 'direct')]
    pass(5)
    const young = await send(short)
    const first = await listen(owner, ['delete_message', 'stream'])
    pass(6)
    await runJobs()
    assert.deepEqual(await heard(first, old[1]), [
      { type: 'delete_message', message_type: 'stream', message_ids: old, stream_id: short, topic: 'x' },
      {
        type: 'stream',
        op: 'update',
        stream_id: short,
        name: 'short',
        property: 'first_message_id',
        value: young,
      },
    ])
    assert.deepEqual(await Promise.all([...old, young, ...others].map(isThere)), [false, false, true, true, true, true])
    assert.equal(await firstOf(short), young)

    // From now on the organization has a limited retention time, but a channel may keep messages forever.
    const refused = await server.as('admin').patch('/realm', { message_retention_days: 8 })
    assert.equal(refused.body.code, 'UNAUTHORIZED_PRINCIPAL')
    assert.equal((await owner.patch('/realm', { message_retention_days: 0 })).status, 400)
    const next = await listen(owner, ['delete_message'])
    await owner.must('PATCH', '/realm', { message_retention_days: 8 })
    pass(0.1)
    await runJobs()
    const [, ...gone] = others
    const told = await heard(next, gone[1])
    const ids = told.flatMap((one) => one.message_ids)
    assert(
      gone.every((id) => ids.includes(id)),
      `${gone} among ${ids}`,
    )
    assert.deepEqual(await Promise.all([young, ...others].map(isThere)), [true, true, false, false])
  })

  test('are removed even if a clock that was ahead dated earlier ones, and without an owner', async (t) => {
    const { server, pass, runJobs } = await startWithMovedClock(t, dialect)
    const owner = server.as('owner')
    const sent: number[] = []
    const send = async () => {
      sent.push(await owner.send([server.as('member')]), await owner.send('general'))
    }
    while (sent.length < 40) await send()
    const ahead = [...sent]
    const last = sent.at(-1) ?? assert.fail()
    while ((sent.at(-1) ?? 0) < 2 * last) await send()
    await server.inDatabase(async ({ knex }) => {
      await knex('message')
        .whereBetween('id', [sent[0] ?? 0, last])
        .increment('sent_at', 365 * DAY_SECONDS)
      await knex('channel').increment('activity_counted_at', 365 * DAY_SECONDS)
    })
    await owner.must('PATCH', '/realm', { message_retention_days: 8 })
    await server.inDatabase(({ knex }) => knex('user').where('role', ROLE.owner).update('role', ROLE.administrator))
    pass(9)
    await runJobs()
    assert.deepEqual(
      (await idsOf(server)).filter((id) => sent.includes(id)),
      ahead,
    )
    const { streams } = await owner.must('GET', '/streams')
    assert.ok(streams.some((one: { stream_weekly_traffic: unknown }) => one.stream_weekly_traffic !== null))
  })
})
