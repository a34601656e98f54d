import assert from 'node:assert/strict'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { cloneCheckout } from '../scripts/clone-testing.ts'
import { runProcess, startProcess, temporaryFolder } from './process-testing.ts'

/**
 * At its end, writes which modules the process has loaded: files by URL, and Node's own modules, including internal
 * ones.
 */
const WITNESS = `
  import { writeFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => writeFileSync(process.env.LOADED, JSON.stringify([...loaded, ...process.moduleLoadList])))
`

/** Modules that this server does not need. Each would cost memory in every server. */
const UNUSED = [
  /deps\/undici/,
  /^NativeModule http2$/,
  /\/scripts\/generate\/(build|source|wire)\.ts$/,
  /\/node_modules\/(mysql2|katex|highlight\.js|file-type|yaml|typescript|@apidevtools\/swagger-parser)\//,
]

/**
 * Lets a server answer once and stop, and returns the modules that it has loaded. If it prepares its start in another
 * process, that process does not count.
 */
async function loadedBy(t: TestContext, project?: string): Promise<string[]> {
  const dataFolder = await temporaryFolder(t)
  const witness = join(dataFolder, 'witness.mjs')
  const list = join(dataFolder, 'loaded.json')
  await writeFile(witness, WITNESS)
  const server = await startProcess(t, {
    dataFolder,
    ...(project !== undefined && { project }),
    // Same as npm start, because the compiled code in the cache depends on V8's flags.
    nodeFlags: ['--max-semi-space-size=4', '--heap-growing-percent=50'],
    environment: {
      PARLEY_ORGANIZATION: 'empty',
      PARLEY_RATE_LIMITS: 'on',
      NODE_OPTIONS: `--import=${pathToFileURL(witness)}`,
      LOADED: list,
    },
  })
  assert.equal((await server.as('owner').get('/users/me')).status, 200)
  await server.kill('SIGTERM')
  return JSON.parse(await readFile(list, 'utf8'))
}

function hasOnlyWhatItUses(loaded: readonly string[]): void {
  for (const used of [/\/node_modules\/koa\//, /\/prom-client\//, /\/better-sqlite3\//, /^NativeModule http$/]) {
    assert.ok(
      loaded.some((module) => used.test(module)),
      String(used),
    )
  }
  assert.deepEqual(
    loaded.filter((module) => UNUSED.some((unused) => unused.test(module))),
    [],
  )
}

test('a server at rest has loaded only what it uses', async (t) => {
  hasOnlyWhatItUses(await loadedBy(t))
})

describe('a first start in a fresh clone', () => {
  const clone = async (t: TestContext): Promise<string> => {
    const project = join(await temporaryFolder(t), 'clone')
    await cloneCheckout(project)
    return project
  }

  test('has loaded nothing else: another process generated the files of the contract, and stripped the types', async (t) => {
    const project = await clone(t)
    const loaded = await loadedBy(t, project)
    hasOnlyWhatItUses(loaded)
    assert.ok(!loaded.some((module) => module.includes('amaro')), 'the type stripper')
    await access(join(project, 'generated/requests.json'))
  })

  test('ends with a message about an invalid contract', async (t) => {
    const project = await clone(t)
    await writeFile(join(project, 'handlers/messages/stray.ts'), '')
    const { code, stdout, stderr } = await runProcess(t, { dataFolder: await temporaryFolder(t), project })
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(
      stderr,
      /^contract and handlers differ\n {2}handlers\/messages\/stray\.ts: the contract has no such operation\n$/,
    )
  })
})
