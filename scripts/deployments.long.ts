/**
 * `npm run test:long -- deployments`: the packed command against whole deployments, with three seeds each, from
 * PARLEY_SEED on: none may give a false alarm.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { PushRelay } from '../conformance/deployment/push-relay.ts'
import { deployedServer } from '../conformance/faults/deployed-testing.ts'
import { ALWAYS_LEFT_OUT, LIMITED_ONLY, STAND_IN_ONLY } from '../conformance/left-out-testing.ts'
import { seed } from '../conformance/seed-testing.ts'
import { sharedServer } from '../conformance/server-pool-testing.ts'
import { faultyProxy, type StartedServer } from '../conformance/testing.ts'
import { emptyDatabase } from '../server/testing.ts'
import { liveIn } from './lived-in-testing.ts'
import { NGINX, startNginx } from './nginx-testing.ts'
import { installedPackages, runWith } from './package-testing.ts'
import { freePort } from './test/machine.ts'

const MARIADB = process.env.PARLEY_TEST_MARIADB
const NODE_22 = process.env.PARLEY_TEST_NODE22
const mostSeconds = 60
const manySeeds = 20
/** The check of presence events, which servers send only if there are few people. */
const AMONG_FEW = 'user-events/presence'
/** This many processes that never wait make a load of the same number. */
const load = 20
const seeds = [seed, seed + 1, seed + 2]

const { folder, home } = await installedPackages()
let reports = 0

interface RunOptions {
  /** Address, if it is not the server's own. */
  readonly url?: string
  /** File with credentials, if it is not the server's own. */
  readonly credentials?: string
  /** Executable of the Node that runs the command. */
  readonly node?: string
  readonly args?: readonly string[]
  /** Whether deviations are failures; default true. */
  readonly isStrict?: boolean
  /** Whether more people may be active than a server sends presence events for, so that one check is left out. */
  readonly isCrowded?: boolean
  /** Whether there is a proxy before it, so that nobody can log in without a password. */
  readonly isProxied?: boolean
}

/** The result of a run that passed. */
interface Passed {
  readonly checks: number
  /** Ids of checks. */
  readonly leftOut: readonly string[]
  /** Why users could not be created; undefined if they could. */
  readonly noUsers?: string
  readonly remains: readonly string[]
  /** Whether answers showed rate limits. */
  readonly isLimited: boolean
  readonly seconds: number
}

/** With these every operation can succeed. */
const pushed = { PARLEY_PUSH_RELAY_URL: (await PushRelay.listen()).url, PARLEY_DEVELOPMENT_LOGIN: 'on' }

/** Runs the installed command, strictly, and fails with its output unless it passed. */
async function passes(t: TestContext, started: StartedServer, options: RunOptions = {}): Promise<Passed> {
  const { url = started.url, credentials = started.credentialsFile, node = process.execPath, args = [] } = options
  const strict = options.isStrict === false ? [] : ['--strict']
  reports += 1
  const file = join(folder, `${reports}.json`)
  const all = ['--url', url, '--credentials', credentials, ...strict, '--quiet', '--json', file, ...args]
  const { code, stdout, stderr } = await runWith(node, home, join(home, 'node_modules/.bin/parley-conformance'), all)
  assert.equal(code, 0, `${stdout}\n${stderr}`)
  const { results, durationMs, requests, noUsers, remains, isLimited, seed } = JSON.parse(await readFile(file, 'utf8'))
  const leftOut = results
    .filter(({ outcome }: { outcome: string }) => outcome === 'left out')
    .map(({ id }: { id: string }) => id)
  const seconds = Math.round(durationMs / 1000)
  const counts = `${results.length} checks, ${leftOut.length} left out, ${requests} requests`
  console.log(`${t.fullName}: ${counts}, ${seconds} s, seed ${seed}`)
  return { checks: results.length, leftOut, noUsers, remains, isLimited, seconds }
}

/** Like `passes`; nothing may be left out or left behind. Returns its duration in seconds. */
async function passesWhole(t: TestContext, started: StartedServer, options: RunOptions = {}): Promise<number> {
  const { leftOut, noUsers, remains, isLimited, seconds } = await passes(t, started, options)
  // The suite is not their push service, and none of them is a server for tests.
  const always = [...ALWAYS_LEFT_OUT, ...STAND_IN_ONLY, 'push/service']
  const mayBeLeftOut = isLimited ? always : [...always, ...LIMITED_ONLY]
  // With rate limits exports are limited, and the suite leaves the remaining ones to the organization.
  const isExpected = (id: string) =>
    (options.isCrowded !== true || id !== AMONG_FEW) &&
    !(isLimited && /export/.test(id)) &&
    !(options.isProxied && id.endsWith('/dev-fetch-api-key'))
  const found = leftOut.filter(isExpected)
  assert.deepEqual([found.toSorted(), noUsers, remains], [mayBeLeftOut.toSorted(), undefined, []])
  return seconds
}

/** Like `passesWhole`, with each of the seeds. */
async function passesAtSeeds(t: TestContext, started: StartedServer, options: RunOptions = {}): Promise<void> {
  for (const seed of seeds) {
    const args = [...(options.args ?? []), '--seed', String(seed)]
    await passesWhole(t, started, { ...options, args })
  }
}

/** Keeps the machine busy. Returns a function that ends this. */
function busyMachine(): () => void {
  const children = Array.from({ length: load }, (): ChildProcess => {
    return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  })
  const end = (): void => {
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', end)
  return end
}

/** File with the credentials of only these people of the demo organization. */
async function credentialsOf({ credentialsFile }: StartedServer, ...names: string[]): Promise<string> {
  const { base_url, users } = JSON.parse(await readFile(credentialsFile, 'utf8'))
  const file = join(folder, `${names.join('-')}.json`)
  await writeFile(
    file,
    JSON.stringify({ base_url, users: Object.fromEntries(names.map((name) => [name, users[name]])) }),
  )
  return file
}

/** A run that is killed after a number of checks, and so leaves behind everything it has created. */
async function killedRun({ credentialsFile }: StartedServer, checks: number): Promise<void> {
  const command = join(home, 'node_modules/parley-conformance/conformance/cli.js')
  const { code, stdout } = await runWith(
    process.execPath,
    home,
    process.execPath,
    [command, '--credentials', credentialsFile],
    {
      watch: (child) => {
        let seen = 0
        child.stdout?.on('data', (text: string) => {
          seen += text.split('\n').length - 1
          if (seen >= checks) child.kill('SIGKILL')
        })
      },
    },
  )
  assert.equal(code, null, `it was not killed:\n${stdout}`)
}

describe('a server', () => {
  const server = sharedServer(pushed)

  test(`passes in ${mostSeconds} s when it is fresh`, async (t) => {
    const seconds = await passesWhole(t, await server())
    assert.ok(seconds <= mostSeconds, `it took ${seconds} s`)
  })

  test('passes with the command on Node 22', {
    skip: NODE_22 === undefined && 'npm test has no Node 22',
  }, async (t) => {
    await passesWhole(t, await server(), { node: NODE_22 ?? '' })
  })

  test('passes twice at once', async (t) => {
    const started = await server()
    await Promise.all([passesWhole(t, started), passesWhole(t, started)])
  })

  test('passes with leftovers of killed runs', async (t) => {
    const started = await server()
    for (const checks of [20, 100, 250]) await killedRun(started, checks)
    await passesWhole(t, started, { isCrowded: true })
  })

  test(`gives no false alarm at ${manySeeds} seeds`, async (t) => {
    const started = await server()
    for (let seed = 1; seed <= manySeeds; seed += 1)
      await passesWhole(t, started, { isCrowded: true, args: ['--seed', String(seed)] })
  })

  test('passes at every seed with all these leftovers', async (t) => {
    await passesAtSeeds(t, await server(), { isCrowded: true })
  })

  test(`passes at every seed on a machine with a load of ${load}`, async (t) => {
    const started = await server()
    const end = busyMachine()
    try {
      await passesAtSeeds(t, started, { isCrowded: true })
    } finally {
      end()
    }
  })
})

describe('a server with much history', () => {
  const server = sharedServer(pushed)
  let life: Promise<void> | undefined
  const livedIn = async (): Promise<StartedServer> => {
    const started = await server()
    life ??= liveIn(started.url, started.credentialsFile)
    await life
    return started
  }

  test('passes', async (t) => {
    await passesWhole(t, await livedIn())
  })

  /** The minimum share of checks that can be done. */
  const cases: readonly [string, number, ...string[]][] = [
    ['people who may make no users', 0.85, 'admin', 'moderator', 'member', 'member2', 'guest', 'bot'],
    ['one person', 0.55, 'member'],
  ]
  for (const [name, part, ...people] of cases) {
    test(`passes with ${name}`, async (t) => {
      const started = await livedIn()
      const { checks, leftOut, noUsers } = await passes(t, started, {
        credentials: await credentialsOf(started, ...people),
      })
      assert.ok(noUsers !== undefined && leftOut.length > 0, 'some checks need new users')
      assert.ok(checks - leftOut.length >= part * checks, `${leftOut.length} of ${checks} were left out`)
    })
  }
})

describe('a server with rate limits', () => {
  const server = sharedServer({ ...pushed, PARLEY_RATE_LIMITS: 'on' })

  test('passes within its twenty minutes', async (t) => {
    await passesAtSeeds(t, await server(), { args: ['--budget', '20m'] })
  })
})

describe('a server on MariaDB', { skip: MARIADB === undefined && 'no MariaDB on this machine' }, async () => {
  const { location, remove } = await emptyDatabase('mariadb')
  after(remove)
  const server = sharedServer(location.kind === 'mariadb' ? { ...pushed, DATABASE_URL: location.url } : pushed)

  test('passes at every seed', async (t) => {
    await passesAtSeeds(t, await server())
  })
})

describe('a deployed server of an older level', () => {
  const server = sharedServer({ ...pushed, PARLEY_HEARTBEAT_SECONDS: '5' })

  test('passes at every seed, except for known deviations', async (t) => {
    const started = await server()
    const { fault, before } = deployedServer(started.url)
    const proxy = await faultyProxy(started.url, fault, before)
    try {
      for (const seed of seeds) {
        await passes(t, started, { url: proxy.url, isStrict: false, args: ['--seed', String(seed)] })
      }
    } finally {
      await proxy.close()
    }
  })
})

if (NGINX === undefined) console.log('!!!!!! NGINX TESTS ARE SKIPPED: nginx is not installed (Debian: nginx) !!!!!!')

describe('a server behind nginx', { skip: NGINX === undefined && 'nginx is not installed' }, async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const token = 'for-metrics-behind-nginx'
  const server = sharedServer({
    ...pushed,
    PARLEY_DEVELOPMENT_LOGIN: 'off',
    PARLEY_PUBLIC_URL: url,
    PARLEY_TRUST_PROXY: 'on',
    PARLEY_METRICS_TOKEN: token,
  })

  test('passes at every seed', async (t) => {
    const started = await server()
    const stop = await startNginx(join(folder, 'nginx'), port, started.url, token)
    try {
      await passesAtSeeds(t, started, { url, isProxied: true })
    } finally {
      await stop()
    }
  })
})
