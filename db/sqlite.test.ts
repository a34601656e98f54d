import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { emptyDatabase } from '../server/testing.ts'
import { openSqlite } from './sqlite.ts'

/** An engine on a file of its own, with a table of one column. */
async function withEngine(work: (engine: ReturnType<typeof openSqlite>, file: string) => Promise<void>): Promise<void> {
  const { location, remove } = await emptyDatabase('sqlite')
  assert(location.kind === 'sqlite')
  const engine = openSqlite(location.file, 'NORMAL')
  try {
    await engine.writer.run('create table scratch (id integer primary key, text text)')
    await work(engine, location.file)
  } finally {
    await engine.close()
    await remove()
  }
}

test('a read sees what was committed before it, and nothing else', () =>
  withEngine(async ({ reader, writer }) => {
    const count = async () => (await reader.get<{ count: number }>('select count(*) as count from scratch'))?.count
    const insert = () => writer.run('insert into scratch (text) values (?)', ['x'])
    assert.equal(await count(), 0)
    await writer.begin()
    await insert()
    assert.equal(await count(), 0, 'before the commit')
    await writer.commit()
    assert.equal(await count(), 1, 'after the commit')
    assert.equal((await reader.all('select id from scratch')).length, 1)
    await writer.begin()
    await insert()
    await writer.rollback()
    assert.equal(await count(), 1, 'after a rollback')
    await insert()
    assert.equal(await count(), 2, 'after a write without a transaction')
    await assert.rejects(async () => reader.get('select missing from scratch'), /no such column/)
    await writer.begin()
    await insert()
    await writer.commit()
    assert.equal(await count(), 3, 'after a read that failed')
  }))

for (const [when, begin] of [
  ['', []],
  [', also where a transaction was left open', ['begin']],
] as const) {
  test(`a read sees what another process committed, from the next turn of the event loop on${when}`, () =>
    withEngine(async ({ reader }, file) => {
      const count = async () => (await reader.get<{ count: number }>('select count(*) as count from scratch'))?.count
      const other = openSqlite(file, 'NORMAL')
      try {
        for (const statement of begin) await reader.run(statement)
        assert.equal(await count(), 0)
        await other.writer.run('insert into scratch (text) values (?)', ['x'])
        await setImmediate()
        assert.equal(await count(), 1)
      } finally {
        await other.close()
      }
    }))
}

test('reads between commits do not let the write-ahead log grow', () =>
  withEngine(async ({ reader, writer }, file) => {
    const text = 'x'.repeat(4000)
    for (let count = 0; count < 6000; count += 1) {
      await reader.get('select max(id) from scratch')
      await writer.begin()
      await writer.run('insert into scratch (text) values (?)', [text])
      await reader.get('select max(id) from scratch')
      await writer.commit()
    }
    // 6,000 pages were written, and some of the tree beside each. SQLite starts over at 1,000.
    const pages = (await stat(`${file}-wal`)).size / 4096
    assert.ok(pages < 2000, `${pages} pages in the log`)
  }))
