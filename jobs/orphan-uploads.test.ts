import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { embeddedConfig } from '../server/config.ts'
import { createParley } from '../server/create-parley.ts'
import { ApiClient, emptyDatabase, onEachDatabase } from '../server/testing.ts'

onEachDatabase('files without a row', (dialect) => {
  test('go at the next start, and what was uploaded stays', async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'parley-test-'))
    const { location: database, remove } = await emptyDatabase(dialect)
    const config = embeddedConfig({ dataFolder, database, rateLimits: false, logLevel: 'error', checkAnswers: true })
    const files = (): string[] =>
      readdirSync(join(dataFolder, 'uploads'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .toSorted()

    const first = await createParley(config)
    const { url, credentials } = await first.start({ port: 0 })
    const login = credentials?.users.member ?? assert.fail()
    const urls: string[] = []
    for (const text of ['one', 'two', 'three']) urls.push((await new ApiClient(url, login).upload('a', text)).body.url)
    await first.stop()
    const kept = files()
    assert.equal(kept.length, 3)

    for (const key of ['ab'.padEnd(32, '0'), (kept[0] ?? '').slice(0, 2).padEnd(32, 'e')]) {
      mkdirSync(join(dataFolder, 'uploads/files', key.slice(0, 2)), { recursive: true })
      writeFileSync(join(dataFolder, 'uploads/files', key.slice(0, 2), key), 'its row was never committed')
    }
    writeFileSync(join(dataFolder, 'uploads/unfinished', 'c'.repeat(32)), 'half of')
    assert.equal(files().length, 6)
    const second = await createParley(config)
    const again = await second.start({ port: 0 })
    const client = new ApiClient(again.url, login)
    const contents = await Promise.all(urls.map(async (path) => (await client.fetch(path)).text()))
    assert.deepEqual(contents, ['one', 'two', 'three'])
    await second.stop() // waits for the job
    assert.deepEqual(files(), kept)
    await remove()
    await rm(dataFolder, { recursive: true })
  })
})
