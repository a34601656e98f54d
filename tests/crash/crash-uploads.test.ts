import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startProcess } from '../../server/process-testing.ts'
import { type Answer, onEachDatabase } from '../../server/testing.ts'
import { emptyServer } from './crash-testing.ts'

const UPLOADERS = 8
const content = (number: number): string => `${number} `.repeat(20_000)

onEachDatabase('kill -9 among uploads', (dialect) => {
  test('nothing acknowledged is missing, no row is without its file, no file without its row', async (t) => {
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
    await second.kill('SIGTERM') // the collection of orphans is waited for
    const files = readdirSync(join(dataFolder, 'uploads'), { recursive: true, withFileTypes: true })
    const keys = files.filter((entry) => entry.isFile()).map((entry) => entry.name)
    assert.deepEqual(keys.toSorted(), listed.map((url) => url.split('/')[3]).toSorted())
  })
})
