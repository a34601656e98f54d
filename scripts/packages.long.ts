/**
 * The packages' promises in figures: the suite's full run against the server, and 20 tests with a fresh server each in
 * less than ten seconds of processor time.
 */
import assert from 'node:assert/strict'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { PYTHON, withPython } from '../tests/clients/testing.ts'
import { processorUs } from './bench/usage.ts'
import { installedPackages, mustRun, projectOf, runWith, serve } from './package-testing.ts'

const root = join(import.meta.dirname, '..')
const installed = await installedPackages()
const { folder, home } = installed
const TESTS = 20
const MAX_SECONDS = 10

/** Runs a command that must succeed. Returns the processor time in seconds of the command and its children. */
async function processorSeconds(cwd: string, words: readonly string[], env?: NodeJS.ProcessEnv): Promise<number> {
  // The shell's `times`: a line for itself and a line for its children, each with user and system time.
  const stdout = await mustRun(cwd, 'sh', ['-c', '"$@" >&2 && times', 'sh', ...words], env)
  const seconds = [...stdout.matchAll(/(\d+)m(\d+(?:\.\d+)?)s/g)].map(([, min, s]) => Number(min) * 60 + Number(s))
  assert.equal(seconds.length, 4, stdout)
  return seconds.reduce((sum, one) => sum + one, 0)
}

function report(t: { diagnostic(text: string): void }, name: string, seconds: number): void {
  const text = `${name}: ${TESTS} tests with a server each, ${seconds.toFixed(1)} s of processor time`
  t.diagnostic(text)
  console.log(text)
  assert.ok(seconds < MAX_SECONDS, text)
}

/** Wall-clock and processor time in milliseconds. */
type Took = readonly [wallMs: number, processorMs: number]

/** Compares processor time, because on a busy machine wall-clock time has no limit. */
function quickEnough(t: { diagnostic(text: string): void }, name: string, took: readonly Took[], most: number): void {
  const [wall, processors] = [0, 1].map((at) => took.map((one) => one[at]?.toFixed(0)).join(', '))
  const text = `${name}: ${wall} ms, of processors ${processors} ms; at most ${most} are promised`
  t.diagnostic(text)
  console.log(text)
  const median =
    took.map((one) => one[1]).toSorted((one, other) => one - other)[Math.floor(took.length / 2)] ?? Infinity
  assert.ok(median <= most, text)
}

test('starts', async (t) => {
  const first: Took[] = []
  for (let count = 0; count < 5; count += 1) {
    const served = await serve(process.execPath, installed, [join(home, 'node_modules/.bin/parley-server')])
    const { pid } = JSON.parse(served.ready)
    first.push([served.startMs, (processorUs({ child: { pid } }) ?? Number.NaN) / 1000])
    await served.stop()
  }
  quickEnough(t, 'first start of a server, on a new folder', first, 1000)
  const program = `
    import { startParley } from 'parley-server/testing'
    const timed = async (work) => {
      const [start, before] = [performance.now(), process.cpuUsage()]
      const result = await work()
      const { user, system } = process.cpuUsage(before)
      return [[performance.now() - start, (user + system) / 1000], result]
    }
    const [first, parley] = await timed(() => startParley())
    const times = { first: [first], later: [], reset: [] }
    for (let count = 0; count < 5; count += 1) {
      const [took, other] = await timed(() => startParley())
      times.later.push(took)
      await other.stop()
      await (await parley.newUser()).must('GET', '/users/me')
      times.reset.push((await timed(() => parley.reset()))[0])
    }
    await parley.stop()
    console.log(JSON.stringify(times))`
  await writeFile(join(home, 'times.js'), program)
  const times = JSON.parse(await mustRun(home, process.execPath, ['times.js']))
  quickEnough(t, 'first startParley() of a process', times.first, 1000)
  quickEnough(t, 'later ones', times.later, 120)
  quickEnough(t, 'reset()', times.reset, 20)
})

test('vitest', async (t) => {
  const project = join(folder, 'vitest')
  await projectOf(join(root, 'examples/vitest'), project, installed)
  await cp(join(root, 'examples/vitest/package.json'), join(project, 'package.json'))
  await writeFile(
    join(project, 'many.test.js'),
    `
    import { startParley } from 'parley-server/testing'
    import { expect, test } from 'vitest'
    import zulip from 'zulip-js'
    test.for(Array.from({ length: ${TESTS} }, (_, index) => index))('test %i', async (index) => {
      await using parley = await startParley()
      const ada = await parley.newUser('Ada')
      const client = await zulip({ username: ada.email, apiKey: ada.apiKey, realm: parley.url })
      const { queue_id, last_event_id } = await client.queues.register({ event_types: ['message'] })
      await client.messages.send({ type: 'direct', to: [ada.userId], content: 'number ' + index })
      const { messages } = await client.messages.retrieve({ anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false })
      expect(messages.at(-1).content).toBe('number ' + index)
      await client.queues.deregister({ queue_id, last_event_id })
      await parley.expectNoMistakes()
    })`,
  )
  report(t, 'vitest', await processorSeconds(project, [process.execPath, 'node_modules/vitest/vitest.mjs', 'run']))
})

test('pytest', withPython, async (t) => {
  const project = join(folder, 'pytest')
  await mkdir(project)
  await cp(join(root, 'clients/pytest/pytest_parley.py'), join(project, 'pytest_parley.py'))
  await writeFile(
    join(project, 'test_many.py'),
    `
import pytest
import zulip

@pytest.mark.parametrize("number", range(${TESTS}))
def test_number(parley, parley_user, number):
    ada = parley_user("Ada")
    client = zulip.Client(email=ada["email"], api_key=ada["api_key"], site=parley.url)
    queue = client.register(event_types=["message"])
    client.send_message({"type": "direct", "to": [ada["user_id"]], "content": f"number {number}"})
    newest = {"anchor": "newest", "num_before": 1, "num_after": 0, "narrow": [], "apply_markdown": False}
    assert client.get_messages(newest)["messages"][-1]["content"] == f"number {number}"
    client.deregister(queue["queue_id"])
    parley.expect_no_mistakes()
`,
  )
  const words = [PYTHON ?? '', '-m', 'pytest', '-p', 'pytest_parley', '-p', 'no:cacheprovider', '--quiet', '.']
  const seconds = await processorSeconds(project, words, {
    PARLEY_SERVER: `'${process.execPath}' '${join(home, 'node_modules/.bin/parley-server')}'`,
  })
  report(t, 'pytest', seconds)
})

test('npx parley-conformance passes against npx parley-server', async () => {
  const served = await serve(process.execPath, installed, ['npx', 'parley-server'])
  const args = ['parley-conformance', '--url', served.url, '--credentials', served.credentialsFile]
  const { code, stdout, stderr } = await runWith(process.execPath, home, 'npx', args)
  await served.stop()
  assert.equal(code, 0, `${stdout}\n${stderr}`)
  const [summary] = stdout.match(/^PASSED: .*$/m) ?? assert.fail(stdout)
  console.log(`${summary}; the server answered after ${Math.round(served.startMs)} ms, through npx`)
})
