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
import { type Dialect, emptyDatabase, type Parameters } from '../../server/testing.ts'
import { CrashQueue, type QueuePlan } from './crash-queue-testing.ts'

const SENDERS = 16
const ACCOUNTS = ['owner', 'admin', 'moderator', 'member', 'member2', 'guest', 'bot'] as const
/** Number of messages that one request asks for by id. */
const PAGE = 1000

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
      ...{ dataFolder, environment: { PARLEY_CHECK_ANSWERS: 'off' } },
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
  const run = new CrashRun(new Random(seed), options.dataFolder)
  let server = await startProcess(t, options)
  for (let kill = 1; kill <= kills; kill += 1) {
    await run.loadAndKill(server)
    server = await startProcess(t, options)
    await run.check(server)
  }
  await run.checkAll(server)
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
 * Waits from an answer to the kill; the moment is an input of this test, and nothing is waited for. Half of the kills
 * hit a commit: they block this process until the server's write-ahead log is written to, and up to 2 ms longer.
 * Answers until then are in our sockets, and count.
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
  readonly counts: CrashCounts = { kills: 0, acknowledged: 0, kept: 0, lost: 0, afterCommit: 0, drained: 0, removed: 0 }
  readonly #random: Random
  readonly #walFile: string
  /** Contents of successfully answered sends by message id, since the first start. */
  readonly #acknowledged = new Map<number, string>()
  /** Ids in `#acknowledged` that no restarted server was asked for yet. */
  #unchecked: number[] = []
  /** Contents of unanswered sends to this server process. */
  readonly #unanswered = new Set<string>()
  /** Message ids of all earlier processes end here. */
  #highestKnownId = 0
  #sent = 0
  #queues: CrashQueue[] = []
  /** Queues whose deletion the server has confirmed. */
  #removed: CrashQueue[] = []

  constructor(random: Random, dataFolder: string) {
    this.#random = random
    this.#walFile = join(dataFolder, 'parley.sqlite-wal')
  }

  /** One server process: senders, pollers, registrations and a deletion at once, until the kill. */
  async loadAndKill(server: ServerProcess): Promise<void> {
    const random = this.#random
    for (let made = 0; made < 2; made += 1) await this.#register(server, queuePlan(random))
    const counted = this.#acknowledged.size
    const killAt = counted + 1 + random.int(250)
    const moment = killMoment(random, this.#walFile)
    const atCount = new Map<number, () => Promise<void>>()
    const plan = queuePlan(random)
    atCount.set(counted + 1 + random.int(250), async () => (await this.#register(server, plan)).follow(server))
    atCount.set(counted + 1 + random.int(250), () => this.#remove(server))

    let isDead = false
    let failure: unknown
    const killed = Promise.withResolvers<void>()
    /** Only a dead server may fail to answer, and it may never answer wrongly. */
    const untilDead = async (work: () => Promise<void>): Promise<void> => {
      try {
        await work()
      } catch (err) {
        if (isDead && !(err instanceof assert.AssertionError)) return
        failure ??= err
        killed.resolve()
      }
    }
    const work = this.#queues.map((queue) => untilDead(() => queue.follow(server)))
    const onAcknowledged = (): void => {
      const due = atCount.get(this.#acknowledged.size)
      if (due) work.push(untilDead(due))
      if (this.#acknowledged.size === killAt) killed.resolve()
    }
    for (let sender = 0; sender < SENDERS; sender += 1) {
      const account = ACCOUNTS[sender % ACCOUNTS.length] ?? 'member'
      const own = random.fork()
      work.push(untilDead(() => this.#send(server, account, own, () => isDead, onAcknowledged)))
    }
    await killed.promise
    await moment()
    isDead = true
    await server.kill('SIGKILL')
    this.counts.kills += 1
    for (const one of work) await one // also what is added meanwhile, because answers may still be in our sockets
    if (failure !== undefined) throw failure
  }

  /** After a start: everything acknowledged by the last process exists once, and every queue continues where it was. */
  async check(server: ServerProcess): Promise<void> {
    await this.#checkMessages(server, this.#unchecked)
    this.#unchecked = []
    await this.#settleUnanswered(server)
    for (const queue of this.#queues) await queue.drain(server)
    this.counts.drained += this.#queues.length
    for (const queue of this.#removed) await queue.assertGone(server)
    this.counts.removed += this.#removed.length
    this.#removed = []
    // Old queues have long histories to compare, so new ones replace them.
    const retired = this.#queues.filter((queue) => queue.drains > queue.lives)
    for (const queue of retired) await queue.remove(server)
    this.#queues = this.#queues.filter((queue) => !retired.includes(queue))
  }

  /** At the end: nothing from any process has changed since. */
  checkAll(server: ServerProcess): Promise<void> {
    return this.#checkMessages(server, [...this.#acknowledged.keys()])
  }

  /** Sends message after message until the server dies; later answers count, new sends do not. */
  async #send(
    server: ServerProcess,
    account: string,
    random: Random,
    isDead: () => boolean,
    onAcknowledged: () => void,
  ): Promise<void> {
    const client = server.as(account)
    while (!isDead()) {
      const message = this.#nextMessage(server, account, random)
      this.#unanswered.add(message.content)
      const { status, body } = await client.post('/messages', message)
      assert.equal(status, 200, JSON.stringify(body))
      const earlier = this.#acknowledged.get(body.id)
      assert.equal(earlier, undefined, `message ${body.id} was given out twice`)
      this.#unanswered.delete(message.content)
      this.#acknowledged.set(body.id, message.content)
      this.#unchecked.push(body.id)
      this.counts.acknowledged += 1
      onAcknowledged()
    }
  }

  #nextMessage(server: ServerProcess, account: string, random: Random): Parameters & { readonly content: string } {
    this.#sent += 1
    // Sometimes more than a page of the database.
    const length = random.int(10) === 0 ? 6000 : random.int(200)
    const content = `${this.#sent} of ${account}: ${'äöü 💬\n'.repeat(length / 6)}.`
    if (account.startsWith('member') && random.int(4) === 0) {
      return { type: 'direct', to: [server.as(account === 'member' ? 'member2' : 'member').userId], content }
    }
    const isGuest = account === 'guest'
    const to = isGuest || random.int(2) === 0 ? 'general' : 'engineering'
    return { type: 'channel', to, topic: `t${random.int(5)}`, content }
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

  async #checkMessages(server: ServerProcess, ids: readonly number[]): Promise<void> {
    // Everybody sees all channel messages, and two people see their direct messages.
    const found = new Map<number, string>()
    for (const account of ['owner', 'member']) {
      const client = server.as(account)
      for (let start = 0; start < ids.length; start += PAGE) {
        const wanted = { message_ids: ids.slice(start, start + PAGE), apply_markdown: false }
        const { messages } = await client.must('GET', '/messages', wanted)
        for (const { id, content } of messages) found.set(id, content)
      }
    }
    for (const id of ids) {
      assert.equal(found.get(id), this.#acknowledged.get(id), `message ${id} was answered with success`)
    }
    for (const id of ids.slice(-3)) {
      const { raw_content: content } = await server.as('member').must('GET', `/messages/${id}`)
      assert.equal(content, this.#acknowledged.get(id), `message ${id} by its id`)
    }
  }

  /** Everything else was sent by this test, has a new id, and exists once. */
  async #settleUnanswered(server: ServerProcess): Promise<void> {
    const fresh = new Map<number, string>()
    for (const [account, narrow] of [
      ['owner', [{ operator: 'sender', operand: server.as('owner').email, negated: true }]],
      ['owner', [{ operator: 'sender', operand: server.as('owner').email }]],
      ['member', [{ operator: 'dm', operand: [server.as('member2').userId] }]],
    ] as const) {
      const range = { narrow, anchor: this.#highestKnownId, include_anchor: false, num_before: 0, num_after: 5000 }
      const { messages, found_newest } = await server.as(account).must('GET', '/messages', {
        ...range,
        apply_markdown: false,
      })
      assert.ok(found_newest, 'more messages in one life than are looked at')
      for (const { id, content } of messages) fresh.set(id, content)
    }
    const contents = new Set<string>()
    for (const [id, content] of fresh) {
      this.#highestKnownId = Math.max(this.#highestKnownId, id)
      assert.ok(!contents.has(content), `there twice: ${content}`)
      contents.add(content)
      if (this.#acknowledged.has(id)) continue
      if (this.counts.kills === 1 && !/^\d+ of /.test(content)) continue // from the demo organization
      assert.ok(this.#unanswered.has(content), `nobody sent message ${id}: ${content}`)
      this.#acknowledged.set(id, content) // from now on it must stay
      this.counts.kept += 1
    }
    const lost = [...this.#unanswered].filter((content) => !contents.has(content)).length
    this.counts.lost += lost
    if (lost === 0) this.counts.afterCommit += 1
    this.#unanswered.clear()
  }
}
