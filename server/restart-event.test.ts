import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FEATURE_LEVEL, ZULIP_VERSION } from '../domain/versions.ts'
import { embeddedConfig } from './config.ts'
import { createParley } from './create-parley.ts'
import { ApiClient, emptyDatabase, onEachDatabase } from './testing.ts'

onEachDatabase('the event restart', (dialect) => {
  test('tells every queue that the server speaks another version, and nothing where it does not', async (t) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'parley-test-'))
    const { location: database, remove } = await emptyDatabase(dialect)
    const config = embeddedConfig({ dataFolder, database, rateLimits: false, logLevel: 'error', checkAnswers: true })
    const file = join(dataFolder, 'version')
    let parley = await createParley(config)
    t.after(async () => {
      await parley.stop()
      await remove()
      await rm(dataFolder, { recursive: true })
    })
    let { url, credentials } = await parley.start({ port: 0 })
    const users = credentials?.users ?? assert.fail()
    const as = (key: string): ApiClient => new ApiClient(url, users[key] ?? assert.fail())
    const queues = new Map<string, { queue_id: string; last_event_id: number }>()
    for (const key of ['guest', 'owner']) queues.set(key, await as(key).must('POST', '/register'))
    const startAgain = async (): Promise<void> => {
      await parley.stop()
      parley = await createParley(config)
      url = (await parley.start({ port: 0 })).url
    }
    const heard = async (key: string): Promise<object[]> => {
      const { queue_id, last_event_id } = queues.get(key) ?? assert.fail()
      const { events } = await as(key).must('GET', '/events', { queue_id, last_event_id, dont_block: true })
      return events.filter(({ type }: { type: string }) => type === 'restart')
    }

    const present = readFileSync(file, 'utf8')
    assert.match(present, new RegExp(` ${FEATURE_LEVEL}$`))
    await startAgain()
    assert.deepEqual(await heard('owner'), [], 'the same version')
    rmSync(file) // like after a server that did not store its version
    await startAgain()
    assert.deepEqual([await heard('owner'), readFileSync(file, 'utf8')], [[], present])
    writeFileSync(file, `11.0 ${FEATURE_LEVEL - 1}`)
    await startAgain()
    for (const key of ['guest', 'owner']) {
      const [event, ...more] = await heard(key)
      const { id: _, ...told } = (event ?? assert.fail()) as { id: number }
      assert.deepEqual(more, [])
      assert.deepEqual(told, {
        ...{ type: 'restart', zulip_version: ZULIP_VERSION, zulip_merge_base: ZULIP_VERSION },
        ...{ zulip_feature_level: FEATURE_LEVEL, server_generation: 0 },
      })
    }
    await startAgain()
    assert.equal((await heard('guest')).length, 1, 'told once')
  })
})
