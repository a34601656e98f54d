/**
 * Three processes behind nginx, as deploy/try.sh starts them, while everything they stand on fails. PARLEY_SEED
 * chooses the order of the faults. The processes come back because deploy/try.sh starts them again.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fc, seed } from '../../conformance/seed-testing.ts'
import { findExecutable } from '../../scripts/test/machine.ts'
import { Random } from '../../server/random-testing.ts'
import type { Answer, ApiClient } from '../../server/testing.ts'
import { Load } from '../crash/load-testing.ts'
import { Site, smallDisk } from './site-testing.ts'

const SENDERS = 8
const READERS = ['member', 'guest', 'owner', 'bot'] as const
/** Content of the message that ends reading. */
const LAST = 'the last'
/** Sends that are acknowledged before the next fault, and after it. */
const SENDS = 100
const GALERA = '/usr/lib/galera/libgalera_smm.so'
const missing = (names: readonly string[]): readonly string[] =>
  names.filter((name) => findExecutable(name) === undefined)

type Fault = (site: Site, random: Random, load: Load) => Promise<void>

const inFront: Readonly<Record<string, Fault>> = {
  'a process is killed': (site, random) => site.restarted(random.pick(site.numbers), 'SIGKILL'),
  'two processes are killed at once': async (site) => {
    await Promise.all([site.restarted(1, 'SIGKILL'), site.restarted(3, 'SIGKILL')])
  },
  'a process is paused for two seconds': async (site, random) => {
    const pid = await site.pid(String(random.pick(site.numbers)))
    process.kill(pid, 'SIGSTOP')
    await delay(2000)
    process.kill(pid, 'SIGCONT')
  },
  'each process is replaced in turn': async (site) => {
    for (const number of site.numbers) await site.restarted(number, 'SIGTERM')
  },
  'nginx reads its configuration again': async (site) => void process.kill(await site.pid('nginx'), 'SIGHUP'),
}

const ofMariaDb: Readonly<Record<string, Fault>> = {
  'MariaDB is killed': (site) => site.restartedDatabase('SIGKILL'),
  'MariaDB is restarted': (site) => site.restartedDatabase('SIGTERM'),
}

const ofDisk: Readonly<Record<string, Fault>> = {
  'the disk is full': async (site, _random, load) => {
    const free = await site.filledDisk()
    await load.untilFailed()
    await free()
  },
}

const ofCluster: Readonly<Record<string, Fault>> = {
  'the node that is written to is killed': (site) => site.restartedDatabase('SIGKILL'),
  'the node that is written to is restarted': (site) => site.restartedDatabase('SIGTERM'),
  'another node is killed': (site, random) => site.restartedDatabase('SIGKILL', random.pick([2, 3])),
}

/** Ids of all messages until {@link LAST}, in the order in which they come. */
async function toldTo(load: Load, reader: ApiClient, { queue_id, last_event_id }: Answer['body']): Promise<number[]> {
  const ids: number[] = []
  let isOver = false
  for (let last = last_event_id; !isOver; ) {
    const answer = await load.answered(() => reader.get('/events', { queue_id, last_event_id: last }))
    for (const { id, type, message } of answer?.body.events ?? []) {
      assert.ok(id > last, `event ${id} came after ${last}`)
      last = id
      if (type === 'message') ids.push(message.id)
      isOver ||= message?.content === LAST
    }
  }
  return ids
}

async function survive(
  t: TestContext,
  nodes: number,
  faults: Readonly<Record<string, Fault>>,
  disk?: string,
): Promise<void> {
  t.diagnostic(`PARLEY_SEED=${seed}`)
  const random = new Random(seed)
  const site = await Site.start(t, nodes, disk)
  const load = await Load.open(site.as, random)
  const queues = await Promise.all(
    READERS.map((key) => site.as(key).must('POST', '/register', { event_types: ['message'] })),
  )
  load.begin(SENDERS)
  const told = Promise.all(queues.map((queue, index) => toldTo(load, site.as(READERS[index] ?? 'owner'), queue)))
  told.catch(() => undefined) // it is thrown at the end
  const all = Object.entries(faults)
  const [order = []] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), 1)
  for (const [name, fails] of order) {
    await load.untilSent(SENDS)
    load.longestGapMs = 0
    await fails(site, random, load)
    await load.untilSent(SENDS)
    t.diagnostic(`${name}: no send was acknowledged for up to ${Math.round(load.longestGapMs)} ms`)
  }
  await load.end()
  await load.send(LAST)
  const [, ...sent] = (await load.check()).map(({ id }) => id)
  for (const ids of await told) assert.deepEqual(ids, sent, 'what a reader was told, and what is there')
  t.diagnostic(JSON.stringify({ ...load.counts, errors: Object.fromEntries(load.errors) }))
  await site.stop()
  assert.equal(existsSync(site.folder), false, 'deploy/try.sh leaves its folder behind')
}

describe('several processes lose, duplicate and reorder nothing, whatever fails', () => {
  const one = missing(['nginx', 'mariadbd', 'curl'])
  test('on one MariaDB', { skip: one.length > 0 && `${one} is not installed` }, async (t) => {
    const disk = await smallDisk(t)
    if (disk === undefined) t.diagnostic('NO DISK IS FILLED: this account may not mount one')
    await survive(t, 1, { ...inFront, ...ofMariaDb, ...(disk !== undefined && ofDisk) }, disk)
  })

  const three = [...one, ...missing(['haproxy', 'rsync']), ...(existsSync(GALERA) ? [] : ['galera-4'])]
  test('on a Galera cluster', { skip: three.length > 0 && `${three} is not installed` }, (t) =>
    survive(t, 3, { ...inFront, ...ofCluster }),
  )
})
