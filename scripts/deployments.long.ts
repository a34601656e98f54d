import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { ALWAYS_LEFT_OUT, LIMITED_ONLY, type StartedServer, sharedServer } from '../conformance/testing.ts'
import { emptyDatabase } from '../server/testing.ts'
import { NGINX, startNginx } from './nginx-testing.ts'
import { installedPackage, runWith } from './package-conformance-testing.ts'
import { freePort } from './test/machine.ts'

const MARIADB = process.env.PARLEY_TEST_MARIADB
const NODE_22 = process.env.PARLEY_TEST_NODE22
const mostSeconds = 60
const seeds = 20

const { folder, home } = await installedPackage()
let reports = 0

interface RunOptions {
  /** Address, where it is not the server's own. */
  readonly url?: string
  /** Executable of the Node that runs the command. */
  readonly node?: string
  /** Whether the server has rate limits. */
  readonly isLimited?: boolean
  readonly args?: readonly string[]
}

/**
 * Runs the installed command, strictly, and fails with what it printed unless everything passed, nothing was left out
 * and nothing was left behind.
 *
 * @returns seconds that it took
 */
async function passes(t: TestContext, started: StartedServer, options: RunOptions = {}): Promise<number> {
  const { url = started.url, node = process.execPath, isLimited = false, args = [] } = options
  reports += 1
  const file = join(folder, `${reports}.json`)
  const target = ['--url', url, '--credentials', started.credentialsFile]
  const all = [...target, '--strict', '--quiet', '--json', file, ...args]
  const { code, stdout, stderr } = await runWith(node, home, join(home, 'node_modules/.bin/parley-conformance'), all)
  assert.equal(code, 0, `${stdout}\n${stderr}`)
  const { results, durationMs, requests, noUsers, remains, seed } = JSON.parse(await readFile(file, 'utf8'))
  const leftOut = results
    .filter(({ outcome }: { outcome: string }) => outcome === 'left out')
    .map(({ id }: { id: string }) => id)
  const mayBeLeftOut = [...ALWAYS_LEFT_OUT, ...(isLimited ? [] : LIMITED_ONLY)]
  assert.deepEqual([leftOut.toSorted(), noUsers, remains], [mayBeLeftOut.toSorted(), undefined, []])
  const seconds = Math.round(durationMs / 1000)
  console.log(`${t.fullName}: ${results.length} checks, ${requests} requests, ${seconds} s, seed ${seed}`)
  return seconds
}

/** A run that dies after so many checks, and so leaves everything behind that it had made. */
async function killedRun({ credentialsFile }: StartedServer, checks: number): Promise<void> {
  const command = join(home, 'node_modules/parley-conformance/conformance/cli.js')
  const { code, stdout } = await runWith(
    process.execPath,
    home,
    process.execPath,
    [command, '--credentials', credentialsFile],
    (child) => {
      let seen = 0
      child.stdout?.on('data', (text: string) => {
        seen += text.split('\n').length - 1
        if (seen >= checks) child.kill('SIGKILL')
      })
    },
  )
  assert.equal(code, null, `it was not killed:\n${stdout}`)
}

describe('a server', () => {
  const server = sharedServer()

  test(`passes in ${mostSeconds} s when it is fresh`, async (t) => {
    const seconds = await passes(t, await server())
    assert.ok(seconds <= mostSeconds, `it took ${seconds} s`)
  })

  test('passes with the command on Node 22', {
    skip: NODE_22 === undefined && 'npm test has no Node 22',
  }, async (t) => {
    await passes(t, await server(), { node: NODE_22 ?? '' })
  })

  test('passes twice at once', async (t) => {
    const started = await server()
    await Promise.all([passes(t, started), passes(t, started)])
  })

  test('passes with what killed runs have left behind', async (t) => {
    const started = await server()
    for (const checks of [20, 100, 250]) await killedRun(started, checks)
    await passes(t, started)
  })

  test(`gives no false alarm at ${seeds} seeds`, async (t) => {
    const started = await server()
    for (let seed = 1; seed <= seeds; seed += 1) await passes(t, started, { args: ['--seed', String(seed)] })
  })
})

describe('a server with rate limits', () => {
  const server = sharedServer({ PARLEY_RATE_LIMITS: 'on' })

  test('passes in the ten minutes that it is given', async (t) => {
    await passes(t, await server(), { isLimited: true, args: ['--budget', '10m'] })
  })
})

describe('a server on MariaDB', { skip: MARIADB === undefined && 'no MariaDB on this machine' }, async () => {
  const { location, remove } = await emptyDatabase('mariadb')
  after(remove)
  const server = sharedServer(location.kind === 'mariadb' ? { DATABASE_URL: location.url } : {})

  test(`passes in ${mostSeconds} s when it is fresh`, async (t) => {
    const seconds = await passes(t, await server())
    assert.ok(seconds <= mostSeconds, `it took ${seconds} s`)
  })
})

if (NGINX === undefined) console.log('!!!!!! NGINX TESTS ARE SKIPPED: nginx is not installed (Debian: nginx) !!!!!!')

describe('a server behind nginx', { skip: NGINX === undefined && 'nginx is not installed' }, async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = sharedServer({ PARLEY_PUBLIC_URL: url, PARLEY_TRUST_PROXY: 'on' })

  test('passes', async (t) => {
    const started = await server()
    const stop = await startNginx(join(folder, 'nginx'), port, started.url)
    try {
      await passes(t, started, { url })
    } finally {
      await stop()
    }
  })
})
