import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { Ground } from '../server/ground-testing.ts'
import { onEachDatabase, until } from '../server/testing.ts'

onEachDatabase('files without a row', (dialect) => {
  test('are removed at a start if they are old, and uploads stay', async (t) => {
    const ground = await Ground.make(t, dialect)
    const { dataFolder } = ground
    const files = (): string[] =>
      readdirSync(join(dataFolder, 'uploads'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .toSorted()

    const first = await ground.start()
    const urls: string[] = []
    for (const text of ['one', 'two', 'three']) urls.push((await first.as('member').upload('a', text)).body.url)
    await first.parley.stop()
    const kept = files()
    assert.equal(kept.length, 3)

    const left: string[] = []
    const leave = (folder: string, key: string): void => {
      mkdirSync(join(dataFolder, 'uploads', folder), { recursive: true })
      left.push(join(dataFolder, 'uploads', folder, key))
      writeFileSync(left.at(-1) ?? '', 'its row was never committed')
    }
    for (const key of ['ab'.padEnd(32, '0'), (kept[0] ?? '').slice(0, 2).padEnd(32, 'e')]) {
      leave(join('files', key.slice(0, 2)), key)
    }
    leave('unfinished', 'c'.repeat(32))
    const setAge = (paths: readonly string[], hours: number): void => {
      const date = new Date(Date.now() - hours * 3600 * 1000)
      for (const path of paths) utimesSync(path, date, date)
    }
    setAge(left, 24)
    leave('files/ff', 'f'.repeat(32)) // in the last folder that is checked
    setAge(left.splice(-1), 25)
    const between = await ground.start()
    await until(() => files().length < 7)
    await between.parley.stop()
    assert.deepEqual(files(), [...kept, ...left.map((path) => basename(path))].toSorted(), 'may be another’s')
    setAge([...left, ...kept.map((key) => join(dataFolder, 'uploads/files', key.slice(0, 2), key))], 25)
    const second = await ground.start()
    const contents = await Promise.all(urls.map(async (path) => (await second.as('member').fetch(path)).text()))
    assert.deepEqual(contents, ['one', 'two', 'three'])
    await until(() => files().length <= kept.length)
    await second.parley.stop()
    assert.deepEqual(files(), kept)
  })
})
