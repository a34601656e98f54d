import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FEATURE_LEVEL, ZULIP_VERSION } from '../domain/versions.ts'
import { Ground } from './ground-testing.ts'
import { onEachDatabase } from './testing.ts'

onEachDatabase('the event restart', (dialect) => {
  test('tells every queue that the server has another version, and nothing if it has not', async (t) => {
    const ground = await Ground.make(t, dialect)
    const file = join(ground.dataFolder, 'version')
    let server = await ground.start()
    const queues = new Map<string, { queue_id: string; last_event_id: number }>()
    for (const key of ['guest', 'owner']) queues.set(key, await server.as(key).must('POST', '/register'))
    const startAgain = async (): Promise<void> => {
      await server.parley.stop()
      server = await ground.start()
    }
    const heard = async (key: string): Promise<object[]> => {
      const { queue_id, last_event_id } = queues.get(key) ?? assert.fail()
      const { events } = await server.as(key).must('GET', '/events', { queue_id, last_event_id, dont_block: true })
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
        type: 'restart',
        zulip_version: ZULIP_VERSION,
        zulip_merge_base: ZULIP_VERSION,
        zulip_feature_level: FEATURE_LEVEL,
        server_generation: 0,
      })
    }
    await startAgain()
    assert.equal((await heard('guest')).length, 1, 'told once')
  })
})
