import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, stat, symlink } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { emptyDatabase } from '../server/testing.ts'
import { openSqlite, type Synchronous } from './sqlite.ts'

/** Runs `work` with an engine on its own file, which has a table with one text column. */
async function withEngine(
  work: (engine: ReturnType<typeof openSqlite>, file: string) => Promise<void>,
  synchronous: Synchronous = 'NORMAL',
): Promise<void> {
  const { location, remove } = await emptyDatabase('sqlite')
  assert(location.kind === 'sqlite')
  const engine = openSqlite(location.file, synchronous)
  try {
    await engine.writer.run('create table scratch (id integer primary key, text text)')
    await work(engine, location.file)
  } finally {
    await engine.close()
    await remove()
  }
}

test('a read sees the commits before it, and nothing else', () =>
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

test('a damaged page fails only those who read it', () =>
  withEngine(async ({ reader, writer, snapshot }, file) => {
    const text = 'a'.repeat(3000)
    for (let id = 1; id < 50; id += 1) await writer.run('insert into scratch (id, text) values (?, ?)', [id, text])
    const { page } = (await writer.get<{ page: number }>(
      "select max(pageno) as page from dbstat where name = 'scratch'",
    )) ?? {
      page: 0,
    }
    await writer.get('pragma wal_checkpoint(TRUNCATE)')
    const { size } = (await writer.get<{ size: number }>('select page_size as size from pragma_page_size')) as {
      size: number
    }
    const handle = await open(file, 'r+')
    await handle.write(Buffer.alloc(size, 0xff), 0, size, (page - 1) * size)
    await handle.close()
    const readAll = async (session: Pick<typeof reader, 'all'>) => session.all('select sum(length(text)) from scratch')
    const readFirst = async (session: Pick<typeof reader, 'all'>) =>
      session.all('select text from scratch where id = 1')
    for (let time = 0; time < 2; time += 1) {
      await assert.rejects(readAll(reader), /malformed/)
      await setImmediate()
      await setImmediate()
      assert.deepEqual(await readFirst(reader), [{ text }])
      await assert.rejects(snapshot(readAll), /malformed/)
      assert.deepEqual(await snapshot(readFirst), [{ text }])
    }
    await writer.run('insert into scratch (id, text) values (0, ?)', [text])
  }))

test('reads between commits do not let the write-ahead log grow', () =>
  withEngine(async ({ reader, writer }, file) => {
    const text = 'x'.repeat(4000)
    for (let count = 0; count < 12_000; count += 1) {
      await reader.get('select max(id) from scratch')
      await writer.begin()
      await writer.run('insert into scratch (text) values (?)', [text])
      await reader.get('select max(id) from scratch')
      await writer.commit()
      await setImmediate()
    }
    // Some 36,000 pages were written: one per row, and some for the tree. A log that never restarts contains all of
    // them. The actual maximum depends on how soon the checkpoint thread gets the processor.
    const pages = (await stat(`${file}-wal`)).size / 4096
    assert.ok(pages < 12_000, `${pages} pages in the log`)
  }))

/** Writes some 1,500 pages in one transaction. */
async function insertMuch({ writer }: Pick<ReturnType<typeof openSqlite>, 'writer'>): Promise<void> {
  await writer.begin()
  for (let count = 0; count < 1500; count += 1) {
    await writer.run('insert into scratch (text) values (?)', ['x'.repeat(4000)])
  }
  await writer.commit()
}

test('SEC-LOOP-7: a thread makes checkpoints, and no commit waits for them', () =>
  withEngine(async ({ writer }, file) => {
    await insertMuch({ writer })
    const { size } = statSync(file)
    assert.ok(size < 1_000_000, `${size} bytes in the database file with the commit`)
    while (statSync(file).size < 1_000_000) await setImmediate()
  }))

/** Replaces `datasync` of all files: it resolves only when `finish` is called, or rejects with `fail`. */
async function withoutDisk(
  t: TestContext,
  file: string,
): Promise<{ asked: Promise<void>; finish: () => void; fail: (err: Error) => void }> {
  // Not the database file: closing it here would release SQLite's locks.
  const probe = await open(`${file}-wal`)
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const [asked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  t.mock.method(prototype, 'datasync', () => {
    asked.resolve()
    return done.promise
  })
  return { asked: asked.promise, finish: done.resolve, fail: done.reject }
}

test('SEC-LOOP-7: with FULL a commit waits for the disk, and others are served meanwhile', (t) =>
  withEngine(async ({ reader, writer }, file) => {
    await writer.begin()
    await writer.run('insert into scratch (text) values (?)', ['kept'])
    const { asked, finish } = await withoutDisk(t, file)
    let hasEnded = false
    const committed = Promise.resolve(writer.commit()).then(() => {
      hasEnded = true
    })
    await asked
    await setImmediate()
    assert.equal((await reader.all('select id from scratch')).length, 1)
    assert.equal(hasEnded, false)
    finish()
    await committed
  }, 'FULL'))

test('after a failure of the disk, a commit is acknowledged only with all earlier ones', (t) =>
  withEngine(async ({ reader, writer }, file) => {
    const insert = async (text: string): Promise<void> => {
      await writer.begin()
      await writer.run('insert into scratch (text) values (?)', [text])
      await writer.commit()
    }
    await insert('one')
    const { asked, fail } = await withoutDisk(t, file)
    const second = insert('two')
    await asked
    fail(new Error('EIO'))
    await assert.rejects(second, /EIO/)
    t.mock.restoreAll()
    const { size } = statSync(file)
    await insert('three')
    assert.ok(statSync(file).size > size, 'the log is not in the database file')
    assert.ok(statSync(`${file}-wal`).size < 3 * 4096, 'the log did not begin anew')
    assert.equal((await reader.all('select id from scratch')).length, 3)
  }, 'FULL'))

test('a writer that waits for a checkpoint keeps the process alive', () =>
  withEngine(async (_engine, file) => {
    const program = `
      const { openSqlite } = await import(${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)})
      const engine = openSqlite(${JSON.stringify(`${file}-alone`)}, 'NORMAL')
      await engine.writer.run('create table scratch (id integer primary key, text text)')
      for (let count = 0; count < 4; count += 1) {
        await engine.writer.begin()
        for (let row = 0; row < 4500; row += 1) await engine.writer.run('insert into scratch (text) values (?)', ['x'.repeat(4000)])
        await engine.writer.commit()
      }
      await engine.close()
      await engine.close()
      console.log('all')`
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
    assert.equal(stdout, 'all\n', stderr)
  }))

test('after a checkpoint that a writer waited for, nothing keeps the process alive', () =>
  withEngine(async (_engine, file) => {
    const program = `
      const { Worker } = await import('node:worker_threads')
      const { ref } = Worker.prototype
      Worker.prototype.ref = function () {
        console.log('waits')
        ref.call(this)
      }
      const { openSqlite } = await import(${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)})
      const { writer } = openSqlite(${JSON.stringify(`${file}-alone`)}, 'NORMAL')
      await writer.run('create table scratch (id integer primary key, text text)')
      for (const rows of [4500, 1, 1]) {
        await writer.begin()
        for (let row = 0; row < rows; row += 1) await writer.run('insert into scratch (text) values (?)', ['x'.repeat(4000)])
        await writer.commit()
      }`
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { timeout: 30_000 })
    assert.equal((await running).stdout, 'waits\n')
  }))

test('with FULL the database file may be a symbolic link', () =>
  withEngine(async (_engine, file) => {
    const link = `${file}-link`
    await symlink(file, link)
    const engine = openSqlite(link, 'FULL')
    try {
      await engine.writer.begin()
      await engine.writer.run('insert into scratch (text) values (?)', ['kept'])
      await engine.writer.commit()
    } finally {
      await engine.close()
    }
  }))

test('with NORMAL no commit waits for the disk', (t) =>
  withEngine(async ({ writer }, file) => {
    const { asked } = await withoutDisk(t, file)
    void asked.then(() => assert.fail('it asked the disk'))
    await writer.begin()
    await writer.run('insert into scratch (text) values (?)', ['kept'])
    await writer.commit()
    await setImmediate()
  }))

test('SEC-LOOP-7: without the thread the writer makes checkpoints itself', (t) =>
  withEngine(async ({ reader, writer }, file) => {
    const warned = Promise.withResolvers<string>()
    t.mock.method(process, 'emitWarning', (text: string) => warned.resolve(text))
    const moved = `${file}-moved`
    await rename(file, moved)
    await mkdir(file) // so that the thread cannot open it
    await insertMuch({ writer })
    const { size } = statSync(moved)
    assert.match(await warned.promise, /on the event loop for a minute/)
    await insertMuch({ writer })
    assert.ok(statSync(moved).size > size)
    assert.ok(Number((await reader.get<{ count: number }>('select count(*) as count from scratch'))?.count) >= 3000)
  }))

test('SEC-LOOP-2: a transaction waits for another process that writes, and others are served meanwhile', () =>
  withEngine(async ({ reader, writer }, file) => {
    const other = openSqlite(file, 'NORMAL')
    try {
      await other.writer.begin()
      await other.writer.run('insert into scratch (text) values (?)', ['theirs'])
      const begun = Promise.resolve(writer.begin())
      await setImmediate()
      assert.deepEqual(await reader.all('select text from scratch'), [])
      await other.writer.commit()
      await begun
      await writer.run('insert into scratch (text) values (?)', ['ours'])
      await writer.commit()
      const texts = (await reader.all<{ text: string }>('select text from scratch')).map(({ text }) => text)
      assert.deepEqual(texts, ['theirs', 'ours'])
    } finally {
      await other.close()
    }
  }))

test('only their owner can read the files of a database, in every folder (G13)', () =>
  withEngine(async ({ writer }, file) => {
    await writer.run('insert into scratch (text) values (?)', ['x'])
    for (const ending of ['', '-wal', '-shm']) assert.equal(statSync(`${file}${ending}`).mode & 0o777, 0o600, ending)
  }))
