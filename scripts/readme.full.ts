import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { environmentWithoutSettings } from '../conformance/environment-testing.ts'
import { cloneCheckout } from './clone-testing.ts'
import { freePort } from './test/machine.ts'

const run = promisify(execFile)

test('U3: README’s first minutes: a start, a message, and a run of the suite that passes under rate limits', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const cwd = join(folder, 'parley')
  await cloneCheckout(cwd, { withPackages: false })
  const port = String(await freePort())
  const readme = (await readFile(join(cwd, 'README.md'), 'utf8')).replaceAll('9991', port)
  const env = { ...environmentWithoutSettings(), PORT: port }
  const [, start = ''] = /^(npm ci && npm start)$/m.exec(readme) ?? []
  const [, message = ''] = /^(curl \S+\/messages -u [^`]+)/m.exec(readme) ?? []
  const [, suite = ''] = /`(npm run conformance -- [^`]+)`/.exec(readme) ?? []

  const server = spawn('bash', ['-c', start], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const { pid = assert.fail('there is no bash') } = server
  const ended = new Promise((resolve) => server.once('exit', resolve))
  t.after(async () => {
    if (server.exitCode === null) process.kill(-pid, 'SIGTERM')
    await ended
  })
  const lines = createInterface(server.stdout)
  let isUp = false
  for await (const line of lines) {
    isUp = line.includes(`http://127.0.0.1:${port}`)
    if (isUp) break
  }
  assert.ok(isUp, 'the server has not started')
  server.stdout.resume()

  const { users } = JSON.parse(await readFile(join(cwd, 'data/demo-credentials.json'), 'utf8'))
  const sent = await run('bash', ['-c', message.replace('EMAIL:KEY', `${users.bot.email}:${users.bot.api_key}`)])
  assert.equal(JSON.parse(sent.stdout).result, 'success')

  const { stdout } = await run('bash', ['-c', suite], { cwd, env, maxBuffer: 10_000_000 })
  assert.match(stdout, /checks, profile quick, seed \d+\nThe server limits requests: /)
  assert.match(stdout, /^PASSED: \d+ passed, 0 failed, 0 deviating, \d+ left out$/m)
})
