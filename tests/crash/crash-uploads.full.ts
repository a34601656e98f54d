import assert from 'node:assert/strict'
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DAY_SECONDS } from '../../domain/clock.ts'
import { startProcess } from '../../server/process-testing.ts'
import { type Answer, onEachDatabase } from '../../server/testing.ts'
import { emptyServer } from './crash-testing.ts'

const UPLOADERS = 8
const content = (number: number): string => `${number} `.repeat(20_000)

onEachDatabase('kill -9 during uploads', (dialect) => {
  test('no acknowledged file is missing, and rows and files match', async (t) => {
    const { dataFolder, environment } = await emptyServer(t, dialect)
    const first = await startProcess(t, { dataFolder, environment })
    const acknowledged = new Map<string, number>()
    let isKilled = false
    let next = 0
    const upload = async (): Promise<void> => {
      while (!isKilled) {
        const number = next++
        try {
          const { status, body } = await first.as('member').upload(`file ${number}`, content(number))
          if (status === 200) acknowledged.set(body.url, number)
        } catch (err) {
          if (!isKilled) throw err
        }
        if (acknowledged.size >= 30 && !isKilled) {
          isKilled = true
          await first.kill('SIGKILL')
        }
      }
    }
    await Promise.all(Array.from({ length: UPLOADERS }, upload))

    const second = await startProcess(t, { dataFolder, environment })
    const client = second.as('member')
    const { attachments } = await client.must('GET', '/attachments')
    const listed: string[] = attachments.map((one: Answer['body']) => `/user_uploads/${one.path_id}`)
    for (const url of acknowledged.keys()) assert.ok(listed.includes(url), `${url} was acknowledged and is gone`)
    for (const one of attachments) {
      const answer = await client.fetch(`/user_uploads/${one.path_id}`)
      assert.equal(await answer.text(), content(Number(one.name.split(' ')[1])), one.path_id)
    }
    await second.kill('SIGTERM')
    const uploads = join(dataFolder, 'uploads')
    const longAgo = new Date(Date.now() - 2 * DAY_SECONDS * 1000)
    for (const entry of readdirSync(uploads, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), longAgo, longAgo)
    }
    const third = await startProcess(t, { dataFolder, environment })
    const kept = listed.map((url) => url.split('/')[3]).toSorted()
    const keys = (): string[] =>
      readdirSync(uploads, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
    for (let tries = 0; keys().length > kept.length && tries < 1000; tries += 1) await delay(20)
    await third.kill('SIGTERM')
    assert.deepEqual(keys().toSorted(), kept)
  })
})
