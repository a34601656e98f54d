import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { type Ended, installedPackage, mustRun, runWith } from './package-testing.ts'

const root = join(import.meta.dirname, '..')
const installed = await installedPackage('parley-server')
const { folder, home } = installed

test('the package has what it runs with, and nothing else', async () => {
  const { paths } = installed
  const code = /^[a-z][\w/-]*(\.generated)?\.(js|mjs|d\.ts|d\.mts)$/
  const others = paths.filter((path) => !code.test(path) && !path.startsWith('server/static/'))
  assert.deepEqual(others.toSorted(), [
    'LICENSE',
    'README.md',
    'domain/emoji/table.json',
    'generated/decoded.json',
    'generated/requests.json',
    'generated/wire-3.0.json',
    'generated/wire.json',
    'package.json',
  ])
  assert.deepEqual(
    paths.filter((path) => /\.test\.|[-/]testing\.|^(conformance|scripts|openapi)\//.test(path)),
    [],
  )
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages
  const { dependencies, scripts } = JSON.parse(
    await readFile(join(home, 'node_modules/parley-server/package.json'), 'utf8'),
  )
  assert.equal(scripts, undefined, 'nothing runs when it is installed')
  for (const [name, version] of Object.entries(dependencies)) {
    assert.equal(version, lock[`node_modules/${name}`].version, `${name} is the version that the tests run with`)
  }
  // Some are loaded only when they are needed, which no start shows.
  const imported = new Set<string>()
  for (const path of paths.filter((one) => /\.m?js$/.test(one))) {
    const code = await readFile(join(home, 'node_modules/parley-server', path), 'utf8')
    for (const [, name = ''] of code.matchAll(
      /\b(?:from|import)\s*\(?['"]((?:@[\w-]+\/)?[\w-][\w.-]*)(?:\/[^'"]*)?['"]/g,
    )) {
      imported.add(name)
    }
  }
  assert.deepEqual(
    [...imported].filter((name) => !Object.hasOwn(dependencies, name)),
    [],
  )
})

for (const [name, node] of [
  ['this Node', process.execPath],
  ['Node 22.19', process.env.PARLEY_TEST_NODE22_19],
] as const) {
  describe(`the package on ${name}`, { skip: node === undefined && 'npm test has no Node 22.19' }, () => {
    const data = join(folder, `data of ${name}`)
    const command = join(home, 'node_modules/.bin/parley-server')

    test('starts, tells who waits for it, answers, and stops', async () => {
      const readyFile = join(folder, `${name}.json`)
      await writeFile(readyFile, 'of a server that was killed')
      let ended: Promise<Ended> | undefined
      const stop = await new Promise<() => void>((resolve, reject) => {
        const args = ['--port', '0', '--data', data, '--ready-file', readyFile, '--log-level', 'silent']
        ended = runWith(node ?? '', home, command, args, (child) => {
          const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
          lines.on('line', (line) => line.startsWith('Parley answers at ') && resolve(() => child.kill('SIGTERM')))
          void once(child, 'exit').then(() => reject(new Error('it ended before it answered')))
        })
      })
      const text = await readFile(readyFile, 'utf8')
      assert.match(text, /^[^\n]+\n$/, 'one line')
      const { url, credentials } = JSON.parse(text)
      const { email, api_key } = credentials.users.member
      const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
      const ask = async (path: string, body?: Record<string, string>) => {
        const how = body && { method: 'POST', body: new URLSearchParams(body) }
        const answer = await fetch(`${url}/api/v1${path}`, { headers: { authorization }, ...how })
        return (await answer.json()) as { id: number; message: { content: string } }
      }
      // Formulas are rendered in another thread, whose code is found in the package too.
      const content = 'so $$x^2$$'
      const { id } = await ask('/messages', { type: 'channel', to: 'general', topic: 'package', content })
      assert.match((await ask(`/messages/${id}`)).message.content, /class="katex"/)
      stop()
      const { code, stderr } = (await ended) as Ended
      assert.deepEqual([code, stderr, existsSync(readyFile)], [0, '', false])
    })

    test('is a library', async () => {
      const program = `
        import { createParley, embeddedConfig } from 'parley-server'
        const config = embeddedConfig({ dataFolder: ${JSON.stringify(data)}, logLevel: 'silent', checkAnswers: true })
        const parley = await createParley(config)
        const { url } = await parley.start({ port: 0 })
        console.log((await (await fetch(url + '/api/v1/server_settings')).json()).zulip_feature_level)
        await parley.stop()`
      await writeFile(join(home, 'program.js'), program)
      await writeFile(join(home, 'package.json'), '{ "type": "module" }')
      const { code, stdout, stderr } = await runWith(node ?? '', home, node ?? '', ['program.js'])
      assert.deepEqual([code, stdout.trim(), stderr], [0, '482', ''])
    })

    test('is a stand-in for tests, in the process and in one of its own', async () => {
      const program = `
        import { startParley } from 'parley-server/testing'
        for (const ownProcess of [false, true]) {
          const parley = await startParley({ ownProcess })
          const ada = await parley.newUser('Ada')
          await parley.failNext({ status: 500 })
          const me = () => fetch(parley.url + '/api/v1/users/me', { headers: { Authorization: ada.authorization } })
          console.log((await me()).status, (await me()).status)
          await parley.stop()
        }`
      await writeFile(join(home, 'program.js'), program)
      await writeFile(join(home, 'package.json'), '{ "type": "module" }')
      const { code, stdout, stderr } = await runWith(node ?? '', home, node ?? '', ['program.js'])
      assert.deepEqual([code, stdout.trim(), stderr], [0, '500 200\n500 200', ''])
    })
  })
}

test('its sentences name its own commands', async () => {
  assert.match(await mustRun(home, 'npx', ['parley-server', '--help']), /^Usage: npx parley-server \[flags\]/)
  assert.match(await mustRun(home, 'npx', ['parley-server', 'admin']), /^Usage: npx parley-server admin COMMAND/)
})

test('the library has types, which the strictest compiler finds and holds callers to', async () => {
  const program = `
    import { type Config, createParley, embeddedConfig, type Parley, type Running } from 'parley-server'
    import { type Mistake, type StandIn, startParley } from 'parley-server/testing'
    const config: Config = embeddedConfig({ dataFolder: './data', organization: 'demo' })
    const parley: Parley = await createParley(config)
    const { url, credentials }: Running = await parley.start({ port: 0 })
    console.log(url, credentials?.users.member?.api_key, parley.app.listeners('error'))
    // @ts-expect-error: there is no such organization
    embeddedConfig({ dataFolder: './data', organization: 'huge' })
    await parley.stop()
    const standIn: StandIn = await startParley({ organization: 'empty', config: { heartbeatSeconds: 1 } })
    await standIn.failNext({ operation: 'get-events', drop: 'answer', times: 2 })
    const mistakes: readonly Mistake[] = await standIn.mistakes()
    console.log(mistakes.map(({ rule, request }) => rule + request.number))
    // @ts-expect-error: there is no such rule
    await standIn.expectNoMistakes({ except: ['unkind'] })
    await standIn.stop()
  `
  await writeFile(join(home, 'program.ts'), program)
  await writeFile(join(home, 'package.json'), '{ "type": "module" }')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false']
  await mustRun(home, process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    ...options,
    ...['--types', 'node'],
    'program.ts',
  ])
})
