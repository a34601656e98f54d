import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Database } from '../../db/database.ts'

import { systemClock } from '../../domain/clock.ts'
import { startProcess } from '../../server/process-testing.ts'
import { onEachDatabase } from '../../server/testing.ts'
import { emptyServer } from './crash-testing.ts'

const MESSAGES = 100
const WRITERS = 4

onEachDatabase('kill -9 while scheduled messages are sent', (dialect) => {
  test('each is sent exactly once', async (t) => {
    const { dataFolder, environment, location } = await emptyServer(t, dialect)
    let server = await startProcess(t, { dataFolder, environment })
    const member = () => server.as('member')
    const self = { type: 'direct', to: [member().userId] }
    const { id: message_id } = await member().must('POST', '/messages', { ...self, content: 'The first.' })
    let next = 0
    const schedule = async (): Promise<void> => {
      for (let number = next++; number < MESSAGES; number = next++) {
        const when = { scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3 }
        await member().must('POST', '/scheduled_messages', { ...self, content: `scheduled ${number}`, ...when })
        await member().must('POST', '/reminders', { message_id, note: `reminder ${number}`, ...when })
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, schedule))
    const counts = async () => {
      const [{ scheduled_messages: scheduled }, { reminders }] = [
        await member().must('GET', '/scheduled_messages'),
        await member().must('GET', '/reminders'),
      ]
      return scheduled.length + reminders.length
    }
    let kills = 0
    for (let left = await counts(); left > 0; left = await counts()) {
      if (left === 2 * MESSAGES || kills === 2) {
        await delay(5)
        continue
      }
      await server.kill('SIGKILL')
      kills += 1
      if (dialect === 'mariadb') {
        // The lease of the killed process ends by itself, after a minute.
        const db = await Database.open(location, systemClock)
        await db.transaction((tx) => tx.jobLeases.endAll())
        await db.close()
      }
      server = await startProcess(t, { dataFolder, environment })
    }
    const { messages } = await member().must('GET', '/messages', {
      anchor: 'newest',
      num_before: 5 * MESSAGES,
      num_after: 0,
      apply_markdown: false,
      narrow: [{ operator: 'is', operand: 'dm' }],
    })
    const contents = messages.map(({ content }: { content: string }) => content.split('\n').at(-1))
    const sent = contents.filter((content: string) => /^(scheduled|reminder) \d+$/.test(content)).toSorted()
    const wanted = Array.from({ length: MESSAGES }, (_, number) => [`scheduled ${number}`, `reminder ${number}`])
    assert.deepEqual(sent, wanted.flat().toSorted())
    assert.ok(kills > 0, 'everything was sent before the first kill')
    await server.kill('SIGTERM')
  })
})
