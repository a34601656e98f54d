import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { PYTHON, withPython } from '../tests/clients/testing.ts'
import { PACKAGES, type PackageName } from './package.ts'
import { importsOf, installedPackages, mustRun, projectOf, runWith, type Served, serve } from './package-testing.ts'

const root = join(import.meta.dirname, '..')
const installed = await installedPackages()
const { folder, home, paths } = installed
const bin = (name: PackageName) => join(home, 'node_modules/.bin', name)

/** Files besides code that each package must and must not have. */
const CONTENTS = {
  'parley-conformance': {
    code: /^(conformance|client)\/[\w/-]+\.(js|d\.ts)$/,
    others: ['bin.cjs', 'conformance/requirements/requirements.yaml', 'generated/wire.json'],
    forbidden: /test|(?<!de)fault|coverage/,
  },
  'parley-server': {
    code: /^[a-z][\w/-]*(\.generated)?\.(js|mjs|d\.ts|d\.mts)$|^server\/static\//,
    others: [
      'bin.cjs',
      'domain/emoji/table.json',
      ...['decoded', 'requests', 'testing', 'wire-3.0', 'wire'].map((name) => `generated/${name}.json`),
    ],
    forbidden: /\.test\.|[-/]testing\.(?!json)|^(conformance|scripts|openapi)\//,
  },
}

for (const name of Object.keys(PACKAGES) as PackageName[]) {
  test(`${name} has what it runs with, and nothing else`, async () => {
    const { code, others, forbidden } = CONTENTS[name]
    const all = paths[name] ?? []
    const expected = [...others, 'LICENSE', 'README.md', 'package.json'].toSorted()
    assert.deepEqual(all.filter((path) => !code.test(path)).toSorted(), expected)
    assert.deepEqual(
      all.filter((path) => forbidden.test(path)),
      [],
    )
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages
    const manifest = await readFile(join(home, 'node_modules', name, 'package.json'), 'utf8')
    const { dependencies, scripts } = JSON.parse(manifest)
    assert.equal(scripts, undefined, 'nothing runs when it is installed')
    for (const [one, version] of Object.entries(dependencies)) {
      assert.equal(version, lock[`node_modules/${one}`].version, `${one} is the version that the tests run with`)
    }
    // Some are loaded only on use, so no start shows them; and the other package has some too.
    const lacking = (await importsOf(name, installed)).filter((one) => !Object.hasOwn(dependencies, one))
    assert.deepEqual(lacking, [])
  })
}

test('the libraries have types, which the strictest compiler finds and enforces', async () => {
  await writeFile(
    join(home, 'of-server.ts'),
    `
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
    await standIn.stop()`,
  )
  await writeFile(
    join(home, 'of-suite.ts'),
    `
    import { type ConformanceReport, runConformance } from 'parley-conformance'
    import { readCredentials } from 'parley-conformance/credentials'
    import { htmlReport } from 'parley-conformance/reports/html'
    const report: ConformanceReport = await runConformance({ ...readCredentials('x'), url: '', seed: 7 })
    console.log(htmlReport(report), report.results.map(({ check, outcome }) => [check.id, outcome === 'passed']))
    // @ts-expect-error: there is no such profile
    await runConformance({ url: '', logins: [], profile: 'most' })
    // @ts-expect-error: there is no such outcome
    console.log(report.results[0]?.outcome === 'green')`,
  )
  // The unchanged samples of the guide.
  const guide = await readFile(join(root, 'docs/testing-clients.md'), 'utf8')
  const samples = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ''], index) => ({
    text,
    file: `guide-${index}.ts`,
  }))
  assert.ok(samples.length > 0)
  for (const { file, text } of samples) await writeFile(join(home, file), text)
  const programs = ['of-server.ts', 'of-suite.ts', ...samples.map(({ file }) => file)]
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false']
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  await mustRun(home, process.execPath, [compiler, ...options, '--types', 'node', ...programs])
})

test('U9: the command of the server prints its version, and names itself in messages', async () => {
  assert.match(await mustRun(home, bin('parley-server'), ['--version']), /^\d+\.\d+\.\d+, feature level 482$/m)
  assert.match(await mustRun(home, bin('parley-server'), ['--help']), /^Usage: npx --no -- parley-server \[flags\]/)
})

describe('a Node that is too old gets a message of one line', () => {
  const old = join(folder, 'old.cjs')
  before(() => writeFile(old, "Object.defineProperty(process, 'versions', { value: { node: '20.3.1' } })"))
  for (const [name, { manifest }] of Object.entries(PACKAGES)) {
    const sentence = `${name} needs Node ${manifest.engines.node.replace('>=', '')} or newer; this is Node 20.3.1, `

    test(`by the command of ${name}`, async () => {
      const args = ['--require', old, bin(name as PackageName), '--help']
      const { code, stdout, stderr } = await runWith(process.execPath, home, process.execPath, args)
      assert.deepEqual([code, stdout, stderr.startsWith(sentence), stderr.trim().split('\n').length], [2, '', true, 1])
    })
  }

  for (const library of ['parley-server', 'parley-server/testing']) {
    test(`by ${library}`, async () => {
      const args = ['--require', old, '--input-type=module', '--eval', `import '${library}'`]
      const { code, stderr } = await runWith(process.execPath, home, process.execPath, args)
      assert.equal(code, 1)
      assert.match(stderr, /^Error: parley-server needs Node 22\.19 or newer; this is Node 20\.3\.1, /m)
    })
  }

  // A real one does not even link code whose imports it lacks.
  const real = process.env.PARLEY_TEST_NODE22
  test('from a real one', { skip: real === undefined && 'no older Nodes on this machine' }, async () => {
    const { code, stderr } = await runWith(real ?? '', home, bin('parley-server'), ['--help'])
    assert.deepEqual([code, stderr], [2, `parley-server needs Node 22.19 or newer; this is Node 22.0.0, ${real}\n`])
  })
})

test('U9: a server ends with npx, which does not signal it', async () => {
  const served = await serve(process.execPath, installed, ['npx', '--no', '--', 'parley-server'])
  assert.ok(await served.stop({ signal: 'SIGTERM', isAlone: true }))
  await assert.rejects(fetch(served.url))
})

/** How each is started: through npx, as people do, and on the oldest supported Node. */
const NODES = [
  {
    name: 'this Node, through npx',
    ofServer: process.execPath,
    ofSuite: process.execPath,
    server: ['npx', '--no', '--', 'parley-server'],
    suite: ['npx', '--no', '--', 'parley-conformance'],
  },
  {
    name: 'the oldest Nodes',
    ofServer: process.env.PARLEY_TEST_NODE22_19,
    ofSuite: process.env.PARLEY_TEST_NODE22,
    server: [bin('parley-server')],
    suite: [bin('parley-conformance')],
  },
]

for (const { name, ofServer = '', ofSuite = '', server, suite } of NODES) {
  const skip = ofServer && ofSuite ? false : 'no older Nodes on this machine'
  describe(name, { skip }, () => {
    let served: Served
    before(async () => {
      served = await serve(ofServer, installed, server)
    })
    const run = (url: string, ...args: string[]) => {
      const [command = '', ...first] = suite
      return runWith(ofSuite, home, command, [...first, '--url', url, '--credentials', served.credentialsFile, ...args])
    }

    test('the server reports who waits for it, and answers with the help of threads', async () => {
      assert.match(served.ready, /^[^\n]+\n$/, 'one line')
      const { email, api_key } = JSON.parse(served.ready).credentials.users.member
      const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
      const ask = async (path: string, body?: Record<string, string>) => {
        const how = body && { method: 'POST', body: new URLSearchParams(body) }
        const answer = await fetch(`${served.url}/api/v1${path}`, { headers: { authorization }, ...how })
        return (await answer.json()) as { id: number; message: { content: string } }
      }
      const content = 'so $$x^2$$'
      const { id } = await ask('/messages', { type: 'channel', to: 'general', topic: 'package', content })
      assert.match((await ask(`/messages/${id}`)).message.content, /class="katex"/)
    })

    test('the suite passes against it', async () => {
      const only = ['messages/hidden', 'envelope/hostile/send-message']
      const args = only.flatMap((check) => ['--only', check])
      const { code, stdout, stderr } = await run(served.url, '--profile', 'all', ...args)
      assert.equal(code, 0, `${stdout}\n${stderr}`)
      assert.match(stdout, /^ *\d+\/\d+ ✓ envelope\/hostile\/send-message$/m)
      assert.match(stdout, /^PASSED: \d+ passed, 0 failed, 0 deviating, 0 left out$/m)
    })

    test('the suite is a library', async () => {
      const program = `
        import { runConformance } from 'parley-conformance'
        import { readCredentials } from 'parley-conformance/credentials'
        import { jsonReport } from 'parley-conformance/reports/json'
        const { logins } = readCredentials(${JSON.stringify(served.credentialsFile)})
        const report = await runConformance({ url: '${served.url}', logins, only: ['messages/hidden'] })
        console.log(JSON.parse(jsonReport(report)).results[0].outcome)`
      await writeFile(join(home, 'suite.js'), program)
      const { code, stdout, stderr } = await runWith(ofSuite, home, ofSuite, ['suite.js'])
      assert.deepEqual([code, stdout.trim(), stderr], [0, 'passed', ''])
    })

    test('the server is a library, and a stand-in for tests, in this process and in its own', async () => {
      const program = `
        import { createParley, embeddedConfig } from 'parley-server'
        import { startParley } from 'parley-server/testing'
        const dataFolder = ${JSON.stringify(join(folder, `library, ${name}`))}
        const embedded = await createParley(embeddedConfig({ dataFolder, logLevel: 'silent', checkAnswers: true }))
        const { url } = await embedded.start({ port: 0 })
        console.log((await (await fetch(url + '/api/v1/server_settings')).json()).zulip_feature_level)
        await embedded.stop()
        for (const ownProcess of [false, true]) {
          const parley = await startParley({ ownProcess })
          const ada = await parley.newUser('Ada')
          await parley.failNext({ status: 500 })
          const me = () => fetch(parley.url + '/api/v1/users/me', { headers: { Authorization: ada.authorization } })
          console.log((await me()).status, (await me()).status)
          await parley.stop()
        }`
      await writeFile(join(home, 'server.js'), program)
      const { code, stdout, stderr } = await runWith(ofServer, home, ofServer, ['server.js'])
      assert.deepEqual([code, stdout.trim(), stderr], [0, '482\n500 200\n500 200', ''])
    })

    test('the server stops on a signal', async () => {
      assert.ok(await served.stop())
      await assert.rejects(fetch(served.url))
    })
  })
}

test('the example for vitest passes, with zulip-js', async () => {
  const example = join(root, 'examples/vitest')
  const project = join(folder, 'vitest')
  await projectOf(example, project, installed)
  for (const file of ['package.json', 'echo-bot.js', 'echo-bot.test.js'])
    await cp(join(example, file), join(project, file))
  const report = join(project, 'report.json')
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`]
  await mustRun(project, process.execPath, args)
  const { numPassedTests, success } = JSON.parse(await readFile(report, 'utf8'))
  const written = (await readFile(join(example, 'echo-bot.test.js'), 'utf8')).match(/^test\(/gm)
  assert.deepEqual([numPassedTests, success], [written?.length, true])
})

test('the example for pytest passes, with the wheel of the plugin and the client of PyPI', withPython, async () => {
  const example = join(root, 'examples/pytest')
  const project = join(folder, 'pytest')
  await mkdir(project)
  await cp(join(root, 'clients/pytest'), join(project, 'plugin'), { recursive: true })
  const python = (args: readonly string[], more?: NodeJS.ProcessEnv) => mustRun(project, PYTHON ?? '', args, more)
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--quiet']
  const offline = ['--no-index', '--no-deps']
  await python([...pip, 'wheel', '--no-build-isolation', ...offline, '--wheel-dir', 'wheels', './plugin'])
  await python([...pip, 'install', ...offline, '--find-links', 'wheels', '--target', 'site', 'pytest-parley'])
  assert.ok(existsSync(join(project, 'site/pytest_parley.py')))
  for (const file of ['echo_bot.py', 'test_echo_bot.py']) await cp(join(example, file), join(project, file))
  const ofPlugin = 'test_pytest_parley.py'
  await cp(join(root, 'clients/pytest', ofPlugin), join(project, ofPlugin))
  const stdout = await python(['-m', 'pytest', '-p', 'no:cacheprovider', '--quiet', '.', '--ignore=plugin'], {
    PYTHONPATH: join(project, 'site'),
    PYTHONDONTWRITEBYTECODE: '1',
    PARLEY_SERVER: `'${process.execPath}' '${bin('parley-server')}'`,
  })
  const texts = ['test_echo_bot.py', ofPlugin].map((file) => readFile(join(project, file), 'utf8'))
  const written = (await Promise.all(texts)).join('\n').match(/^def test_/gm)
  assert.match(stdout, new RegExp(`^${written?.length} passed`, 'm'))
})
