import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { systemClock } from '../domain/clock.ts'
import type { UserId } from '../domain/ids.ts'
import { emptyDatabase, migratedDatabase, onBothDatabases, openDatabase } from '../server/testing.ts'
import { Database, openEngine } from './database.ts'
import type { Tx } from './repositories.ts'

/**
 * A proxy between a server and its database. It can drop the response to a commit that it has forwarded, and stop
 * forwarding what is open without closing it.
 */
class LossyProxy {
  readonly #server: Server
  readonly #clients = new Set<Socket>()
  #swallowsCommit = false
  #silence = 0

  private constructor(target: { host: string; port: number }) {
    this.#server = createServer((client) => {
      const upstream = connect(target.port, target.host)
      this.#clients.add(client)
      let isCut = false
      const opened = this.#silence
      client.on('data', (data) => {
        if (opened < this.#silence) return
        if (this.#swallowsCommit && data.includes('commit')) {
          this.#swallowsCommit = false
          isCut = true
        }
        upstream.write(data)
      })
      upstream.on('data', (data) => {
        // The commit succeeded, but the client does not learn of it.
        if (isCut) client.destroy()
        else client.write(data)
      })
      client.on('error', () => upstream.destroy())
      upstream.on('error', () => client.destroy())
      client.on('close', () => upstream.destroy())
      upstream.on('close', () => client.destroy())
    })
  }

  static async before(url: string): Promise<{ proxy: LossyProxy; url: string }> {
    const target = new URL(url)
    const proxy = new LossyProxy({ host: target.hostname, port: Number(target.port) })
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    target.port = String((proxy.#server.address() as AddressInfo).port)
    return { proxy, url: target.href }
  }

  swallowNextCommit(): void {
    this.#swallowsCommit = true
  }

  cutOpen(): void {
    for (const client of this.#clients) client.destroy()
  }

  silenceOpen(): void {
    this.#silence += 1
  }

  close(): void {
    this.#server.close()
  }
}

/** Opens a database of MariaDB that is closed and removed after the test. */
async function openThroughProxy(
  t: TestContext,
  { location, remove }: Awaited<ReturnType<typeof emptyDatabase>>,
): Promise<{ db: Database; proxy: LossyProxy }> {
  assert.equal(location.kind, 'mariadb')
  const { proxy, url } = await LossyProxy.before(location.kind === 'mariadb' ? location.url : '')
  const db = await Database.open({ kind: 'mariadb', url }, systemClock)
  t.after(async () => {
    await db.close()
    proxy.close()
    await remove()
  })
  return { db, proxy }
}

const tell = (tx: Tx, number: number, text = ''): void =>
  tx.events.append(
    { type: 'subscription', op: 'peer_add', stream_ids: [1], user_ids: [number, text.length] },
    { to: 'users', userIds: [1 as UserId] },
  )

onBothDatabases('a commit that goes wrong', (dialect) => {
  if (dialect === 'sqlite') return // a file has no connection to lose

  test('announce a commit whose answer was lost, in the order of the log', async (t) => {
    const { db, proxy } = await openThroughProxy(t, await emptyDatabase(dialect))
    const heard: number[] = []
    db.onCommitted((events) => heard.push(...events.map((logged) => logged.id)))
    const write = (number: number) => db.transaction(async (tx) => tell(tx, number))
    await write(1)
    proxy.swallowNextCommit()
    await assert.rejects(write(2), 'what may have been committed is not acknowledged')
    await write(3)
    const log = (await db.read.events.after(0, 100)).map((logged) => logged.id)
    assert.equal(log.length, 3, 'the second was committed')
    assert.deepEqual(heard, log)
  })

  test('run again on another connection what was not committed yet', async (t) => {
    const { db, proxy } = await openThroughProxy(t, await emptyDatabase(dialect))
    const runs = [0, 0, 0]
    const write = (number: number) =>
      db.transaction(async (tx) => {
        runs[number] = (runs[number] ?? 0) + 1
        if (number === 1 && runs[1] === 1) proxy.cutOpen()
        await tx.users.byId(1 as UserId)
        tell(tx, number)
      })
    await Promise.all([write(0), write(1), write(2)])
    assert.deepEqual(runs, [2, 2, 1])
    await write(1)
    proxy.cutOpen()
    await write(2)
    assert.equal((await db.read.events.after(0, 100)).length, 5)
  })

  // As seen on a Galera cluster where two nodes are written to.
  test('run again what met an ID that another node has used', async (t) => {
    const { db } = await openDatabase(t, dialect)
    let runs = 0
    await db.transaction(async (tx) => {
      runs += 1
      tell(tx, 1)
      if (runs > 1) return
      await tx.session.run(`insert into event (id, width, type, payload, audience, created_at)
        values (1, 1, 'tick', '{}', '{}', 0)`)
    })
    assert.equal(runs, 2)
    assert.equal((await db.read.events.after(0, 100)).length, 1)
  })

  test('go on with other connections when the open ones go silent', async (t) => {
    const made = await migratedDatabase(dialect)
    // A minute of silence takes three seconds here.
    const { setTimeout: original } = Socket.prototype
    t.mock.method(Socket.prototype, 'setTimeout', function (this: Socket, ms: number, end?: () => void) {
      return original.call(this, ms / 20, end)
    })
    const { db, proxy } = await openThroughProxy(t, made)
    await db.transaction(async (tx) => tell(tx, 1))
    await db.upToDate()
    proxy.silenceOpen()
    const clock = t.mock.timers
    clock.enable({ apis: ['setTimeout'] })
    const look = assert.rejects(db.upToDate(), /has not answered for 10 s/)
    await setImmediate()
    clock.tick(10_000)
    await look
    clock.reset()
    await db.upToDate()
    await db.transaction(async (tx) => tell(tx, 2))
    assert.equal((await db.read.events.after(0, 100)).length, 2)
  })

  test('print nothing while the database is away', async (t) => {
    const { db, proxy } = await openThroughProxy(t, await emptyDatabase(dialect))
    await db.upToDate()
    const printed = t.mock.method(console, 'log', () => undefined)
    proxy.close()
    proxy.cutOpen()
    for (let look = 0; look < 3; look++) await assert.rejects(db.upToDate())
    assert.equal(printed.mock.callCount(), 0)
  })

  // With MariaDB's 50 s, `flush tables with read lock` and two processes waited for each other that long.
  test('begin again when others hold the log for long', async (t) => {
    const { location, remove } = await emptyDatabase(dialect)
    const engine = await openEngine(location)
    t.after(async () => {
      await engine.close()
      await remove()
    })
    assert.deepEqual(await engine.writer.all('select @@innodb_lock_wait_timeout as seconds'), [{ seconds: 5 }])
  })

  test('read what was committed when autocommit is off by default', async (t) => {
    const { location, remove } = await emptyDatabase(dialect)
    const other = await openEngine(location)
    // Other tests open connections meanwhile, which the same statement protects.
    await other.writer.run('set global autocommit = 0')
    const db = await Database.open(location, systemClock).finally(() => other.writer.run('set global autocommit = 1'))
    t.after(async () => {
      await db.close()
      await other.close()
      await remove()
    })
    assert.equal((await db.read.events.after(0, 100)).length, 0)
    await db.transaction(async (tx) => tell(tx, 1))
    assert.equal((await db.read.events.after(0, 100)).length, 1)
  })

  test('write events that together exceed a packet', async (t) => {
    const { db } = await openDatabase(t, dialect)
    const large = (tx: Tx, characters: number): void =>
      tx.events.append(
        { type: 'realm_user', op: 'update', person: { user_id: 1, full_name: 'x'.repeat(characters) } },
        { to: 'users', userIds: [1 as UserId] },
      )
    const bodies = Array.from({ length: 40 }, () => db.transaction(async (tx) => large(tx, 600_000)))
    await Promise.all(bodies)
    // A write too large for a packet fails without affecting others.
    const outcomes = await Promise.allSettled([
      db.transaction(async (tx) => tell(tx, 1)),
      db.transaction(async (tx) => large(tx, 17 * 1024 * 1024)),
      db.transaction(async (tx) => tell(tx, 2)),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.equal((await db.read.events.after(0, 100)).length, 42)
  })
})
