import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startProcess, temporaryFolder } from './process-testing.ts'

/** Writes at the end what the process has loaded: files by URL, and Node's own modules, the inner ones too. */
const WITNESS = `
  import { writeFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => writeFileSync(process.env.LOADED, JSON.stringify([...loaded, ...process.moduleLoadList])))
`

/** Each costs memory in every server, for what this one does not do. */
const UNUSED = [
  /deps\/undici/,
  /^NativeModule (https|tls|http2)$/,
  /\/node_modules\/(mysql2|katex|highlight\.js|file-type|yaml|typescript|@apidevtools\/swagger-parser)\//,
  /\/node_modules\/prom-client\/index\.js$/,
]

test('a server at rest has loaded nothing that it does not use', async (t) => {
  const dataFolder = await temporaryFolder(t)
  const witness = join(dataFolder, 'witness.mjs')
  const list = join(dataFolder, 'loaded.json')
  await writeFile(witness, WITNESS)
  const server = await startProcess(t, {
    dataFolder,
    environment: {
      PARLEY_ORGANIZATION: 'empty',
      PARLEY_RATE_LIMITS: 'on',
      NODE_OPTIONS: `--import=${pathToFileURL(witness)}`,
      LOADED: list,
    },
  })
  assert.equal((await server.as('owner').get('/users/me')).status, 200)
  await server.kill('SIGTERM')
  const loaded: string[] = JSON.parse(await readFile(list, 'utf8'))
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
})
