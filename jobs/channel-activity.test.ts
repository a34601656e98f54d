import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { activityOf } from '../domain/channels/channel-activity.ts'
import { DAY_SECONDS } from '../domain/clock.ts'
import { onEachDatabase } from '../server/testing.ts'
import { startWithMovedClock } from './moved-clock-testing.ts'

describe('the activity of a channel', () => {
  const of = (ageDays: number, recentMessages: number, silentDays = 0) => {
    const now = 400 * DAY_SECONDS
    const lastSentAt = recentMessages === 0 ? null : now - silentDays * DAY_SECONDS
    const { isRecentlyActive, weeklyTraffic } = activityOf(
      { createdAt: now - ageDays * DAY_SECONDS },
      { lastSentAt, recentMessages },
      now,
    )
    return [isRecentlyActive, weeklyTraffic]
  }

  test('has no weekly traffic in the first week (SUB-FIELD-40)', () => {
    assert.deepEqual(of(0, 5), [true, null])
    assert.deepEqual(of(6.9, 700), [true, null])
    assert.deepEqual(of(7, 700), [true, 700])
  })

  test('is the average of four weeks, or of its age, rounded (SUB-FIELD-39)', () => {
    assert.deepEqual(of(14, 30), [true, 15])
    assert.deepEqual(of(28, 30), [true, 8])
    assert.deepEqual(of(300, 29), [true, 7])
    assert.deepEqual(of(300, 1), [true, 1])
    assert.deepEqual(of(30, 0), [true, 0])
  })

  test('is recent for half a year after the last message, or after the first day (SUB-FIELD-38)', () => {
    assert.deepEqual(of(179, 0), [true, 0])
    assert.deepEqual(of(180, 0), [false, 0])
    assert.deepEqual(of(300, 1, 179)[0], true)
    assert.deepEqual(of(300, 1, 180)[0], false)
  })
})

onEachDatabase('counting the traffic of channels', (dialect) => {
  test('events have the values of a new registration, and a message revives an inactive channel', async (t) => {
    const { server, pass, runJobs } = await startWithMovedClock(t, dialect)
    const member = server.as('member')
    const register = (parameters: object = {}) =>
      member.must('POST', '/register', { event_types: ['stream'], fetch_event_types: ['stream'], ...parameters })
    const send = (topic: string) =>
      member.must('POST', '/messages', { type: 'channel', to: 'activity', topic, content: 'x' })
    const of = ({ streams }: { streams: Record<string, unknown>[] }) => {
      const channel = streams.find((one) => one.name === 'activity') ?? assert.fail()
      return [channel.is_recently_active, channel.stream_weekly_traffic]
    }
    /** Events about the channel after the job has run. */
    const told = async (queueId: string, lastEventId: number) => {
      await runJobs()
      const { events } = await member.must('GET', '/events', {
        queue_id: queueId,
        last_event_id: lastEventId,
        dont_block: true,
      })
      return events
        .filter((event: { name: string }) => event.name === 'activity')
        .map(({ op, property, value }: Record<string, unknown>) => [op, property, value])
    }

    await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'activity' }] })
    pass(6)
    for (const topic of ['one', 'two', 'three']) await send(topic)
    const young = await register()
    assert.deepEqual(of(young), [true, null])
    assert.deepEqual(await told(young.queue_id, young.last_event_id), [], 'too new to tell')

    pass(4.5)
    const counted = await register()
    assert.deepEqual(await told(counted.queue_id, counted.last_event_id), [['update', 'stream_weekly_traffic', 2]])
    assert.deepEqual(of(await register()), [true, 2])

    pass(189.5)
    const silent = await register()
    assert.deepEqual(await told(silent.queue_id, silent.last_event_id), [
      ['update', 'is_recently_active', false],
      ['update', 'stream_weekly_traffic', 0],
    ])
    pass(0.1)
    const asleep = await register()
    assert.deepEqual(of(asleep), [false, 0])
    await send('one')
    assert.deepEqual(await told(asleep.queue_id, asleep.last_event_id), [['update', 'is_recently_active', true]])
    assert.deepEqual(of(await register()), [true, 0], 'counted once a day')

    const { stream_id } = await member.must('GET', '/get_stream_id', { stream: 'activity' })
    await member.must('DELETE', `/streams/${stream_id}`)
    pass(200)
    const client_capabilities = { notification_settings_null: true, archived_channels: true }
    const [older, knowing] = [await register(), await register({ client_capabilities })]
    assert.deepEqual(await told(knowing.queue_id, knowing.last_event_id), [['update', 'is_recently_active', false]])
    assert.deepEqual(await told(older.queue_id, older.last_event_id), [], 'this client knows no archived channels')
  })
})
