import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { faultyProxy, sharedServer } from '../conformance/testing.ts'
import { installedPackage, mustRun, runWith } from './package-testing.ts'

const root = join(import.meta.dirname, '..')
const server = sharedServer()
const installed = await installedPackage('parley-conformance')
const { folder, home } = installed

test('the package has what it runs with, and nothing else', async () => {
  const { paths } = installed
  for (const path of [
    'README.md',
    'LICENSE',
    'package.json',
    'generated/wire.json',
    'conformance/requirements/requirements.yaml',
  ]) {
    assert.ok(paths.includes(path), `${path} is there`)
  }
  const others = paths.filter((path) => !/^(conformance|client)\/[\w/-]+(\.generated)?\.(js|d\.ts)$/.test(path))
  assert.deepEqual(others.toSorted(), [
    'LICENSE',
    'README.md',
    'conformance/requirements/requirements.yaml',
    'generated/wire.json',
    'package.json',
  ])
  assert.deepEqual(
    paths.filter((path) => /test|(?<!de)fault|unchecked|coverage/.test(path)),
    [],
  )
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages
  const { dependencies } = JSON.parse(
    await readFile(join(home, 'node_modules/parley-conformance/package.json'), 'utf8'),
  )
  for (const [name, version] of Object.entries(dependencies)) {
    assert.equal(version, lock[`node_modules/${name}`].version, `${name} is the version that the tests run with`)
  }
})

/** How each Node is asked to run the command. npm says that it does not run on the first Node 22. */
const commands: readonly [name: string, node: string | undefined, command: string, ...args: string[]][] = [
  ['this Node, through npx', process.execPath, 'npx', 'parley-conformance'],
  ['Node 22', process.env.PARLEY_TEST_NODE22, join(home, 'node_modules/.bin/parley-conformance')],
]

for (const [name, node, command, ...given] of commands) {
  describe(`the command on ${name}`, { skip: node === undefined && 'npm test has no Node 22' }, () => {
    const run = (...args: string[]) => runWith(node ?? '', home, command, [...given, ...args])
    const only = ['--profile', 'core', '--only', 'messages/hidden', '--only', 'envelope/hostile/send-message']

    test('exits with 0 when all passes', async () => {
      const { url, credentialsFile } = await server()
      const { code, stdout, stderr } = await run('--url', url, '--credentials', credentialsFile, ...only)
      assert.equal(code, 0, `${stdout}\n${stderr}`)
      assert.match(stdout, /^ *\d+\/\d+ ✓ envelope\/hostile\/send-message$/m)
      assert.match(stdout, /^PASSED: 2 passed, 0 failed, 0 deviating, 0 left out$/m)
    })

    test('exits with 1 when something fails, and reports it', async () => {
      const { url, credentialsFile } = await server()
      const proxy = await faultyProxy(url, ({ body }, { path }) => {
        if (/^\/messages\/\d+$/.test(path) && body.message) body.message.subject = 7
      })
      const report = join(folder, 'report.html')
      const args = [
        '--url',
        proxy.url,
        '--credentials',
        credentialsFile,
        '--only',
        'messages/channel',
        '--html',
        report,
      ]
      const { code, stdout, stderr } = await run(...args)
      await proxy.close()
      assert.equal(code, 1, `${stdout}\n${stderr}`)
      assert.match(stdout, /^FAILED: 0 passed, 1 failed/m)
      assert.match(await readFile(report, 'utf8'), /<h1 class="failed">/)
    })

    test('exits with 2 when it cannot run', async () => {
      const { credentialsFile } = await server()
      const { code, stderr } = await run('--url', 'http://127.0.0.1:1', '--credentials', credentialsFile)
      assert.equal(code, 2)
      assert.match(stderr, /got no answer/)
    })

    test('and the library say the same', async () => {
      const { url, credentialsFile } = await server()
      const program = `
        import { runConformance } from 'parley-conformance'
        import { readCredentials } from 'parley-conformance/credentials'
        import { jsonReport } from 'parley-conformance/reports/json'
        const { logins } = readCredentials(${JSON.stringify(credentialsFile)})
        const report = await runConformance({ url: '${url}', logins, only: ['messages/hidden'] })
        console.log(JSON.parse(jsonReport(report)).results[0].outcome)`
      await writeFile(join(home, 'program.js'), program)
      await writeFile(join(home, 'package.json'), '{ "type": "module" }')
      const { code, stdout, stderr } = await runWith(node ?? '', home, node ?? '', ['program.js'])
      assert.deepEqual([code, stdout.trim(), stderr], [0, 'passed', ''])
    })
  })
}

test('the library has types, which the compiler finds and holds callers to', async () => {
  const program = `
    import { type ConformanceReport, runConformance } from 'parley-conformance'
    import { readCredentials } from 'parley-conformance/credentials'
    import { htmlReport } from 'parley-conformance/reports/html'
    const report: ConformanceReport = await runConformance({ ...readCredentials('x'), url: '', seed: 7 })
    console.log(htmlReport(report), report.results.map(({ check, outcome }) => [check.id, outcome === 'passed']))
    // @ts-expect-error: there is no such profile
    await runConformance({ url: '', logins: [], profile: 'most' })
    // @ts-expect-error: there is no such outcome
    console.log(report.results[0]?.outcome === 'green')
  `
  await writeFile(join(home, 'program.ts'), program)
  await writeFile(join(home, 'package.json'), '{ "type": "module" }')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024']
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  await mustRun(home, process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    ...options,
    ...types,
    'program.ts',
  ])
})
