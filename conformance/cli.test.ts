import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sharedServer } from './server-pool-testing.ts'
import { faultyProxy } from './testing.ts'
import { fullOnly, isSampled } from './tier-testing.ts'
import { archiveOf, recordingProxy } from './traffic/recording-testing.ts'
import { Http } from './wire/http.ts'
import { Pace } from './wire/pace.ts'

const server = sharedServer()
const closed = sharedServer({ PARLEY_TRUST_PROXY: 'on' })
const folder = await mkdtemp(join(tmpdir(), 'conformance-cli-'))
after(() => rm(folder, { recursive: true, force: true }))

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function cli(...args: string[]): Promise<Ended> {
  return cliWith(() => {}, ...args)
}

/** @param onOutput is called with everything printed, as long as the process runs */
function cliWith(onOutput: (child: ChildProcess, text: string) => void, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    onOutput(child, text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    onOutput(child, text)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

async function written(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

test('exit with 0 when all passes, having cleaned up', async () => {
  const { credentialsFile } = await server()
  const { code, stdout } = await cli('--credentials', credentialsFile, '--only', 'messages/hidden', '--seed', '5')
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^1\/1 ✓ messages\/hidden$/m)
  assert.match(stdout, /^PASSED: 1 passed, 0 failed, 0 deviating, 0 left out$/m)
  assert.match(stdout, /feature level 482: \d+ requests in [\d.]+ s, seed 5$/m)
  assert.doesNotMatch(stdout, /left behind/)
})

test('leave out the metrics of a Parley that keeps them closed', async () => {
  const { credentialsFile } = await closed()
  const { stdout } = await cli('--credentials', credentialsFile, '--only', 'errors/get-metrics')
  assert.match(stdout, /errors\/get-metrics: get-metrics needs a token/)
})

test('judge what a proxy has recorded, without credentials', async () => {
  const { url } = await server()
  const proxy = await recordingProxy(url)
  await fetch(`${proxy.url}/api/v1/server_settings`)
  await proxy.close()
  const right = archiveOf(proxy.entries)
  const { code, stdout } = await cli('--judge', await written('right.har', right))
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^1\/5 ✓ run\/answers$/m)
  assert.match(stdout, /^http:.* at feature level 482: 1 of 1 exchanges judged, of 1 operations$/m)
  const wrong = await cli(
    '--judge',
    await written('wrong.har', right.replaceAll('realm_name', 'realm_nome')),
    '--quiet',
  )
  assert.equal(wrong.code, 1, wrong.stdout)
  assert.match(wrong.stdout, /✗ run\/answers$/m)
  const mixed = await cli('--judge', join(folder, 'none.har'), '--json', 'report.json')
  assert.deepEqual([mixed.code, mixed.stderr.includes('not with --json')], [2, true])
})

test('take one account, and say what is skipped and why', async () => {
  const { url, logins } = await server()
  const member = logins.find(({ email }) => email.startsWith('member@'))
  const login = ['--user', member?.email ?? '', '--api-key', member?.apiKey ?? '']
  const { code, stdout } = await cli('--url', url, ...login, '--only', 'messages/hidden', '--only', 'served/documented')
  assert.equal(code, 0, stdout)
  assert.match(
    stdout,
    /- messages\/hidden: needs 2 people and the credentials have 1; .* the credentials have no administrator$/m,
  )
  assert.match(stdout, /^no users were made: the credentials have no administrator$/m)
  const none = await cli('--url', url, ...login, '--only', 'messages/hidden')
  assert.deepEqual([none.code, /^INCOMPLETE: 0 passed/m.test(none.stdout)], [3, true])
})

describe('exit with 1 and describe a failure in full', () => {
  const withFault = async (...args: string[]): Promise<Ended> => {
    const { url, credentialsFile } = await server()
    const proxy = await faultyProxy(url, ({ body }, { path }) => {
      if (/^\/messages\/\d+$/.test(path) && body.message) body.message.subject = '</pre><b>&'
    })
    try {
      return await cli('--url', proxy.url, '--credentials', credentialsFile, '--only', 'messages/channel', ...args)
    } finally {
      await proxy.close()
    }
  }

  test('on the terminal and in three files', async () => {
    const [json, junit, html] = ['r.json', 'r.xml', 'r.html'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    const { code, stdout } = await withFault('--json', json, '--junit', junit, '--html', html)
    assert.equal(code, 1, stdout)
    assert.match(stdout, /^ +MSG-FIELD-6: `subject` of a channel message is the topic that it is in, a string\.$/m)
    assert.match(stdout, /^ +expected: `subject` is "fields"$/m)
    assert.match(stdout, /^ +request: +GET \/api\/v1\/messages\/\d+ as member$/m)
    assert.match(stdout, /^ +answer: +HTTP 200, application\/json/m)
    assert.match(stdout, /^ +> +"subject": "<\/pre><b>&",$/m)
    assert.match(stdout, /^ +curl -sS -i -g -X GET 'http:\/\/127\.0\.0\.1:\d+\/api\/v1\/messages\/\d+' \\$/m)
    const report = JSON.parse(await readFile(json, 'utf8'))
    assert.equal(report.passed, false)
    assert.equal(report.results[0].findings[0].requirement, 'MSG-FIELD-6')
    const xml = await readFile(junit, 'utf8')
    assert.match(xml, /<testsuites name="conformance" tests="1" failures="1" skipped="0"/)
    assert.match(xml, /<failure message="MSG-FIELD-6: `subject` is &quot;fields&quot;">/)
    assert.match(xml, /&lt;\/pre&gt;&lt;b&gt;&amp;/)
    const page = await readFile(html, 'utf8')
    assert.match(page, /<h1 class="failed">Failed, 1 of 1 checks failed: /)
    assert.ok(page.indexOf('id="messages/channel"') < page.indexOf('<table>'), 'failures come before the table')
    assert.match(page, /<mark> *&quot;subject&quot;: &quot;&lt;\/pre&gt;&lt;b&gt;&amp;&quot;,<\/mark>/)
    assert.match(page, /<section class="failed"><p><b>MSG-FIELD-6<\/b> <code>subject<\/code> of a channel message/)
    assert.match(page, /<details id="messages\/channel" open>/)
    assert.doesNotMatch(page, /<script|<link|<img|url\(|src=|href="[^#]|<\/pre><b>&/)
    const { logins } = await server()
    for (const { apiKey } of logins) assert.ok(![stdout, xml, page].some((text) => text.includes(apiKey)))
  })

  test('but not when it is expected', async () => {
    const list = await written('expected', '# known\nmessages/channel # the topic\n')
    const { code, stdout } = await withFault('--expected-failures', list)
    assert.equal(code, 0, stdout)
    assert.match(stdout, /✗ messages\/channel \(expected to fail\)$/m)
  })
})

test('write the other reports, and print the summary, if one cannot be written', async () => {
  const { credentialsFile } = await server()
  const junit = join(folder, 'other.xml')
  const args = ['--credentials', credentialsFile, '--only', 'messages/hidden', '--json', '/dev/full', '--junit', junit]
  const { code, stdout, stderr } = await cli(...args)
  assert.equal(code, 2)
  assert.match(stdout, /^PASSED: /m)
  assert.match(stderr, /^--json \/dev\/full was not written: ENOSPC[^\n]*\n$/)
  assert.match(await readFile(junit, 'utf8'), /<testsuites/)
})

test('report a check that passes although it is expected to fail, with --strict as a failure', async () => {
  const { credentialsFile } = await server()
  const list = await written('passes', 'messages/hidden\n')
  const args = ['--credentials', credentialsFile, '--only', 'messages/hidden', '--expected-failures', list]
  const [lenient, strict] = [await cli(...args), await cli(...args, '--strict')]
  assert.deepEqual([lenient.code, strict.code], [0, 1])
  assert.match(lenient.stdout, /^expected to fail, and passed: messages\/hidden$/m)
})

test('start no check after the budget, and say so', async () => {
  const { credentialsFile } = await server()
  const { code, stdout } = await cli(
    '--credentials',
    credentialsFile,
    '--budget',
    '1s',
    '--quiet',
    '--json',
    join(folder, 'b.json'),
  )
  assert.equal(code, 3, stdout)
  assert.match(stdout, /^incomplete: the budget was too small for \d+ checks: \d+ of \w/m)
  assert.match(stdout, /^INCOMPLETE: \d+ passed, 0 failed, /m)
  const { results, notBegun, passed } = JSON.parse(await readFile(join(folder, 'b.json'), 'utf8'))
  const spent = results.filter(({ reasons }: { reasons: string[] }) => reasons.includes('the budget was spent'))
  assert.ok(spent.length > 0 && spent.every(({ outcome }: { outcome: string }) => outcome === 'left out'))
  assert.ok(!passed && spent.every(({ id }: { id: string }) => notBegun.includes(id)))
})

test('with --strict count deviations as failures, also in the summary', async () => {
  const { url, credentialsFile } = await server()
  // The name that existing clients know, and that Parley uses if it is set to.
  const proxy = await faultyProxy(url, ({ body }) => {
    for (const one of body?.message?.reactions ?? []) {
      one.reaction_type = one.reaction_type.replace('service_extra', 'zulip_extra')
    }
  })
  const args = ['--url', proxy.url, '--credentials', credentialsFile, '--only', 'reactions/extra']
  const [lenient, strict] = [await cli(...args), await cli(...args, '--strict')]
  await proxy.close()
  assert.deepEqual([lenient.code, strict.code], [0, 1])
  assert.match(lenient.stdout, /^PASSED: 0 passed, 0 failed, 1 deviating, 0 left out$/m)
  assert.match(strict.stdout, /^FAILED: 0 passed, 1 failed, 0 deviating, 0 left out$/m)
})

test('list the checks that are selected, without a server', async () => {
  const { code, stdout } = await cli('--list', '--only', 'reactions', '--skip', 'reactions/refused')
  assert.equal(code, 0)
  const conditional = await cli('--list', '--only', 'EXPORT-11')
  assert.match(conditional.stdout, /^data-exports\/rights: .*\n {4}EXPORT-1 .*EXPORT-11$/m)
  assert.match(stdout, /^reactions\/add: a reaction is on its message.*\n {4}REACT-1 /m)
  const listed = stdout.split('\n').filter((line) => /^\S/.test(line))
  assert.deepEqual(
    listed.filter((line) => !line.startsWith('reactions/') || line.startsWith('reactions/refused:')),
    [],
  )
})

test('tell flags and versions without a server', async () => {
  const [help, version] = [await cli('--help'), await cli('--version')]
  assert.deepEqual([help.code, version.code], [0, 0])
  assert.match(help.stdout, /^ +npx --no -- parley-conformance --url \S+ --credentials \S+$/m)
  assert.match(version.stdout, /^\d+\.\d+\.\d+, contract of feature level 482\n$/)
})

describe('exit with 2 and say what is wrong', () => {
  const cases: readonly [name: string, says: RegExp, ...args: string[]][] = [
    ['an unknown flag', /--colour/, '--colour'],
    ['no credentials', /credentials are missing/],
    ['a profile that does not exist', /--profile is 'most'/, '--profile', 'most'],
    ['a budget without a unit', /--budget is '60'/, '--budget', '60'],
    ['a seed that is not a number', /--seed is 'x'/, '--seed', 'x'],
    ['a name that fits no check', /no check fits 'nothing'$/m, '--only', 'nothing'],
    ['the end of a name', /no check fits 'hidden': ids begin as in \S+hidden/, '--only', 'hidden'],
    ['a server that does not answer', /got no answer/, '--url', 'http://127.0.0.1:1'],
    ['an invalid address', /--url is 'chat'/, '--url', 'chat'],
    ['an address with a password', /--url is 'http:\/\/me:pw@host'/, '--url', 'http://me:pw@host'],
    ['an address with a query', /--url is 'http:\/\/host\/\?a=b'/, '--url', 'http://host/?a=b'],
    ['an address below the API', /--url is 'http:\/\/host\/api\/v1'/, '--url', 'http://host/api/v1'],
    ['a patience that no timer takes', /--patience is '40000m'/, '--patience', '40000m'],
    ['a path without a seed', /a path is .* not '0:1'/, '--path', '0:1', '--only', 'reactions/add'],
    ['a path that is none', /not 'zzz'/, '--path', 'zzz', '--seed', '1', '--only', 'reactions/add'],
    ['a path for many checks', /a path belongs to one check/, '--path', '0:1'],
    ['a report in no folder', /--html \/nowhere\/report.html cannot be written/, '--html', '/nowhere/report.html'],
    ['a report that is a folder', /--html \/ cannot be written: it is a folder/, '--html', '/'],
    ['a list of expected failures that is not there', /cannot be read/, '--expected-failures', '/nowhere/list'],
  ]
  for (const [name, says, ...args] of cases) {
    test(name, { skip: !isSampled(name, 5) && fullOnly }, async () => {
      const { credentialsFile } = await server()
      const given = name === 'no credentials' ? [] : ['--credentials', credentialsFile]
      const { code, stderr } = await cli(...given, ...args)
      assert.equal(code, 2, stderr)
      assert.match(stderr, says)
      assert.doesNotMatch(stderr, /^ +at /m)
    })
  }

  test('credentials that do not work, also beside others', async () => {
    const { url, credentialsFile } = await server()
    const nobody = ['--user', 'nobody@example.com', '--api-key', 'a'.repeat(32)]
    for (const others of [[], ['--credentials', credentialsFile]]) {
      const { code, stderr } = await cli('--url', url, ...nobody, ...others, '--only', 'messages/hidden')
      assert.equal(code, 2)
      assert.match(stderr, /credentials do not work at .*\n +nobody@example\.com: HTTP 401/)
    }
  })

  test('a server of another kind', async () => {
    const { url, credentialsFile } = await server()
    const proxy = await faultyProxy(url, (answer) => {
      answer.body = '<html>'
      answer.headers.set('location', '/elsewhere')
    })
    const { code, stderr } = await cli('--url', proxy.url, '--credentials', credentialsFile)
    await proxy.close()
    assert.equal(code, 2)
    assert.match(stderr, /states no feature level \(HTTP 200, to \/elsewhere\)/)
  })
})

test('end when nobody reads the output any more, as at Ctrl-C', async () => {
  const { credentialsFile } = await server()
  const quit = (child: ChildProcess): void => void child.stdout?.destroy()
  const { code, stderr } = await cliWith(quit, '--credentials', credentialsFile, '--only', 'reactions')
  assert.deepEqual([code, stderr.replace(/ \(.*\)/, '')], [2, 'interrupted: removing what was made\n'])
})

test('end at the first Ctrl-C after cleaning up, even if npm passes it on again', async () => {
  const { url, credentialsFile, logins } = await server()
  const interrupt = (child: ChildProcess, text: string): void => {
    if (child.killed ? text.startsWith('interrupted') : text.includes('✓')) child.kill('SIGINT')
  }
  const { code, stdout, stderr } = await cliWith(interrupt, '--credentials', credentialsFile)
  assert.equal(code, 2, stderr)
  assert.match(stderr, /^interrupted: removing what was made/m)
  assert.match(stdout, /^INTERRUPTED: \d+ passed, 0 failed, \d+ deviating, \d+ left out$/m)
  assert.doesNotMatch(stdout, /left behind/)
  assert.ok(stdout.split('\n').length < 100, 'what was still to come is not listed')
  const owner = logins.find(({ email }) => email.startsWith('owner@')) ?? assert.fail()
  const get = async (path: string) =>
    (await new Http(url, new Pace()).send({ method: 'GET', path: `/api/v1${path}`, as: owner, caller: 'owner' })).body
  const { members } = await get('/users')
  const active = members.filter((user: { is_active: boolean }) => user.is_active)
  assert.deepEqual(
    active.filter(({ full_name }: { full_name: string }) => full_name.includes('Conformance')),
    [],
  )
  assert.ok(members.length > active.length, 'people were made before')
  const { streams } = await get('/streams?include_all=true')
  assert.deepEqual(
    streams.filter(({ name }: { name: string }) => name.startsWith('conformance')),
    [],
  )
})

// The last test, because it leaves people behind.
test('keep what was made, so that the script of a failure reproduces it', async () => {
  const { url, credentialsFile } = await server()
  const proxy = await faultyProxy(url, ({ body }, { path }) => {
    if (/^\/messages\/\d+$/.test(path) && body.message) body.message.subject = 'elsewhere'
  })
  const [json, logins] = ['kept.json', 'logins.sh'].map((name) => join(folder, name)) as [string, string]
  const args = ['--url', proxy.url, '--credentials', credentialsFile, '--only', 'messages/channel']
  await cli(...args, '--keep', logins, '--json', json)
  const [{ findings }] = JSON.parse(await readFile(json, 'utf8')).results
  const script = await written('again.sh', findings[0].curl)
  const { stdout } = await promisify(execFile)('sh', ['-c', '. "$0" && sh "$1"', logins, script])
  await proxy.close()
  assert.match(stdout, /^HTTP\/1\.1 200 .*"subject":"elsewhere"/s)
  assert.equal((await stat(logins)).mode & 0o077, 0, 'nobody else reads the keys')
})
