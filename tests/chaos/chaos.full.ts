/**
 * Three processes behind nginx, as deploy/try.sh starts them, while everything they stand on fails. PARLEY_SEED
 * chooses the order of the faults. The processes come back because deploy/try.sh starts them again.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fc, seed } from '../../conformance/seed-testing.ts'
import { findExecutable } from '../../scripts/test/machine.ts'
import { Random } from '../../server/random-testing.ts'
import { Load } from './load-testing.ts'
import { Site } from './site-testing.ts'

/** Sends that are acknowledged before the next fault, and after it. */
const SENDS = 100
const missing = ['nginx', 'mariadbd', 'curl'].filter((name) => findExecutable(name) === undefined)

const faults: Readonly<Record<string, (site: Site, random: Random) => Promise<void>>> = {
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
  'MariaDB is killed': (site) => site.restartedDatabase('SIGKILL'),
  'MariaDB is restarted': (site) => site.restartedDatabase('SIGTERM'),
  'nginx reads its configuration again': async (site) => void process.kill(await site.pid('nginx'), 'SIGHUP'),
}

test('several processes lose, double and reorder nothing, whatever fails', {
  skip: missing.length > 0 && `${missing} is not installed`,
}, async (t) => {
  t.diagnostic(`PARLEY_SEED=${seed}`)
  const random = new Random(seed)
  const site = await Site.start(t)
  const load = await Load.begin((key) => site.as(key))
  const all = Object.entries(faults)
  const [order = []] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), 1)
  for (const [name, fails] of order) {
    await load.untilSent(SENDS)
    load.longestGapMs = 0
    await fails(site, random)
    await load.untilSent(SENDS)
    t.diagnostic(`${name}: no send was acknowledged for up to ${Math.round(load.longestGapMs)} ms`)
  }
  t.diagnostic(JSON.stringify(await load.end()))
  await site.stop()
  assert.equal(existsSync(site.folder), false, 'deploy/try.sh leaves its folder behind')
})
