/**
 * Tests what `kill -9` must not destroy. A plan from a seed decides what is sent, by whom, which queues exist and when
 * the server dies; PARLEY_SEED repeats the plan, but not the operating system's scheduling.
 *
 * It cannot detect a server that answers once the kernel has its data but before the disk has, such as SQLite with
 * synchronous=OFF or NORMAL: the kernel survives `kill -9`, and only a power failure shows the difference.
 */
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { DatabaseLocation } from '../../db/database.ts'
import { type Cleanup, type ServerProcess, startProcess, temporaryFolder } from '../../server/process-testing.ts'
import { Random } from '../../server/random-testing.ts'
import { type Dialect, emptyDatabase } from '../../server/testing.ts'
import { CrashQueue, type QueuePlan } from './crash-queue-testing.ts'
import { Load } from './load-testing.ts'

const SENDERS = 16
/** Sends that are acknowledged between a registration, a deletion and the kill. */
const MOST_SENT = 90

/** A data folder and a database for this test only, as settings of a server process. */
export async function emptyServer(
  t: Cleanup,
  dialect: Dialect,
): Promise<{
  dataFolder: string
  environment: Readonly<Record<string, string>>
  /** For reading or changing the database while there is no server. */
  location: DatabaseLocation
}> {
  const dataFolder = await temporaryFolder(t)
  // FULL is the default, with the longest commits, which are then killed most often.
  if (dialect === 'sqlite') {
    const file = join(dataFolder, 'parley.sqlite')
    return {
      dataFolder,
      environment: { PARLEY_CHECK_ANSWERS: 'off' },
      location: { kind: 'sqlite', file, synchronous: 'FULL' },
    }
  }
  const { location, remove } = await emptyDatabase(dialect)
  t.after(remove)
  assert.equal(location.kind, 'mariadb')
  const environment = { PARLEY_CHECK_ANSWERS: 'off', DATABASE_URL: location.url }
  return { dataFolder, environment, location: { ...location, isExclusive: true } }
}

export interface CrashCounts {
  kills: number
  acknowledged: number
  /** Unanswered sends that the restarted server has. */
  kept: number
  /** Unanswered sends that are gone: the server died before their commit. */
  lost: number
  /** Kills that destroyed no send, because everything sent was committed. */
  afterCommit: number
  /** Number of queues checked, summed over all kills. */
  drained: number
  /** Queues whose deletion was acknowledged before a kill. */
  removed: number
}

/**
 * Kills a server `kills` times while 16 senders send, and checks after each start that nothing acknowledged is missing.
 */
export async function crashUnderLoad(t: Cleanup, dialect: Dialect, seed: number, kills: number): Promise<CrashCounts> {
  const options = await emptyServer(t, dialect)
  const random = new Random(seed)
  let server = await startProcess(t, options)
  const run = new CrashRun(await Load.open(server.as, random.fork()), random, options.dataFolder)
  for (let kill = 1; kill <= kills; kill += 1) {
    await run.loadAndKill(server)
    server = await startProcess(t, options)
    await run.check(server)
  }
  await server.kill('SIGKILL')
  return run.counts
}

function queuePlan(random: Random): QueuePlan {
  return {
    account: random.pick(['member', 'member2', 'owner', 'admin', 'guest', 'bot']),
    topic: random.int(4) === 0 ? `t${random.int(5)}` : undefined,
    polling: random.pick(['acknowledging', 'forgetful', 'silent'] as const),
    lives: 1 + random.int(5),
    random: random.fork(),
  }
}

/** Longer than any commit takes to begin while 16 senders wait. */
const COMMIT_WAIT_MS = 100
/**
 * For databases whose commits cannot be observed: longer than a batch of 16 takes on MariaDB, so that kills come before
 * and after.
 */
const BLIND_MS = 100

/**
 * Chooses the moment of a kill, and returns a wait for it that begins at an answer. Half of the kills hit a commit:
 * they block this process until the server's write-ahead log is written to, and up to 2 ms longer. Answers that come
 * meanwhile are read afterwards, and count.
 */
function killMoment(random: Random, walFile: string): () => Promise<void> {
  const share = random.int(1000) / 1000
  if (random.int(2) === 0) return () => delay(share * 12)
  return async () => {
    for (let turn = 0; turn < 3; turn += 1) await setImmediate() // the other senders' requests leave
    const writtenAt = lastWrite(walFile)
    const deadline = performance.now() + (writtenAt === 0n ? share * BLIND_MS : COMMIT_WAIT_MS)
    while (lastWrite(walFile) === writtenAt && performance.now() < deadline);
    const end = performance.now() + share * 2
    while (performance.now() < end);
  }
}

/** Nanoseconds; 0 without such a file, as on MariaDB, where commits are hit only by chance. */
function lastWrite(file: string): bigint {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n
}

class CrashRun {
  readonly #load: Load
  readonly #random: Random
  readonly #walFile: string
  readonly #counts = { kills: 0, afterCommit: 0, drained: 0, removed: 0 }
  #queues: CrashQueue[] = []
  /** Queues whose deletion the server has confirmed. */
  #removed: CrashQueue[] = []

  constructor(load: Load, random: Random, dataFolder: string) {
    this.#load = load
    this.#random = random
    this.#walFile = join(dataFolder, 'parley.sqlite-wal')
  }

  get counts(): CrashCounts {
    return { ...this.#load.counts, ...this.#counts }
  }

  /** One server process: senders, pollers, registrations and a deletion at once, until the kill. */
  async loadAndKill(server: ServerProcess): Promise<void> {
    const random = this.#random
    const load = this.#load
    for (let made = 0; made < 2; made += 1) await this.#register(server, queuePlan(random))
    const moment = killMoment(random, this.#walFile)
    const work: Promise<void>[] = []
    let isDead = false
    /** Only a dead server may fail to answer, and it may never answer wrongly. A failure is thrown at the end. */
    const untilDead = (does: () => Promise<void>): void => {
      const done = does().catch((err: unknown) => {
        if (!isDead || err instanceof assert.AssertionError) throw err
      })
      done.catch(() => undefined)
      work.push(done)
    }
    for (const queue of this.#queues) untilDead(() => queue.follow(server))
    load.begin(SENDERS)
    await load.untilSent(random.int(MOST_SENT))
    untilDead(async () => (await this.#register(server, queuePlan(random))).follow(server))
    await load.untilSent(random.int(MOST_SENT))
    untilDead(() => this.#remove(server))
    await load.untilSent(random.int(MOST_SENT))
    await moment()
    assert.deepEqual([...load.errors], [], 'errors before the kill')
    isDead = true
    const ended = load.end()
    await server.kill('SIGKILL')
    await Promise.all([ended, ...work])
    for (const what of load.errors.keys()) assert.doesNotMatch(what, /^\d/, 'an answer that was no success')
    load.errors.clear()
    this.#counts.kills += 1
  }

  /** After a start: everything acknowledged exists once, and every queue continues where it was. */
  async check(server: ServerProcess): Promise<void> {
    const { lost } = this.#load.counts
    this.#load.as = server.as
    await this.#load.check()
    if (this.#load.counts.lost === lost) this.#counts.afterCommit += 1
    for (const queue of this.#queues) await queue.drain(server)
    this.#counts.drained += this.#queues.length
    for (const queue of this.#removed) await queue.assertGone(server)
    this.#counts.removed += this.#removed.length
    this.#removed = []
    // Old queues have long histories to compare, so new ones replace them.
    const retired = this.#queues.filter((queue) => queue.drains > queue.lives)
    for (const queue of retired) await queue.remove(server)
    this.#queues = this.#queues.filter((queue) => !retired.includes(queue))
  }

  async #register(server: ServerProcess, plan: QueuePlan): Promise<CrashQueue> {
    const queue = await CrashQueue.register(server, plan)
    this.#queues.push(queue)
    return queue
  }

  /** Deletes a queue. If the server dies before confirming it, either result is right, and the queue is forgotten. */
  async #remove(server: ServerProcess): Promise<void> {
    const queue = this.#queues.find(({ polling }) => polling === 'silent')
    if (!queue) return
    this.#queues = this.#queues.filter((one) => one !== queue)
    await queue.remove(server)
    this.#removed.push(queue)
  }
}
