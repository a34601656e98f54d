import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { environmentWithoutSettings } from '../conformance/environment-testing.ts'
import type { DemoCredentials } from '../server/first-start.ts'
import { ApiClient } from '../server/testing.ts'
import { findExecutable } from './test/machine.ts'

const missing = ['nginx', 'mariadbd', 'curl'].filter((name) => findExecutable(name) === undefined)

test('deploy/try.sh: a process is killed while a client chats, and the client misses nothing', {
  skip: missing.length > 0 && `${missing} is not installed`,
}, async (t) => {
  const script = join(import.meta.dirname, '../deploy/try.sh')
  // Below the ports that systems give away, so that the four after it are free, too.
  const port = 20_000 + (process.pid % 2000) * 5
  const env = { ...environmentWithoutSettings(), PORT: String(port), PARLEY_RATE_LIMITS: 'off' }
  const child = spawn(script, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  t.after(async () => {
    child.kill()
    await ended
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stdout.setEncoding('utf8')
  const pids = await new Promise<number[]>((resolve, reject) => {
    child.stdout.on('data', (text: string) => {
      said += text
      const found = /^Kill one .*: (\d+), (\d+) or (\d+)$/m.exec(said)
      if (found) resolve(found.slice(1).map(Number))
    })
    ended.then((code) => reject(new Error(`ended with ${code}: ${said}`)))
  })
  const [, url = '', file = ''] = /answer at (\S+); credentials: (\S+)$/m.exec(said) ?? []
  const { users } = JSON.parse(await readFile(file, 'utf8')) as DemoCredentials
  const as = (key: string): ApiClient => new ApiClient(url, users[key] as DemoCredentials['users'][string])
  const queue = await as('member').must('POST', '/register', { event_types: '["message"]' })
  const send = async (content: string): Promise<number> => {
    const body = { type: 'stream', to: 'general', topic: 'chat', content }
    // nginx does not know whether a process that was killed meanwhile has sent it.
    const { id } = await as('owner')
      .must('POST', '/messages', body)
      .catch(() => as('owner').must('POST', '/messages', body))
    return id
  }
  const [sent, seen]: [number[], number[]] = [[], []]
  let last = queue.last_event_id
  for (const pid of pids.slice(1)) {
    for (const isKilled of [false, true]) {
      const poll = () => as('member').must('GET', '/events', { queue_id: queue.queue_id, last_event_id: last })
      const waiting = poll()
      if (isKilled) process.kill(pid, 'SIGKILL')
      const id = await send(`${pid} ${isKilled}`)
      sent.push(id)
      for (let answer = await waiting; ; answer = await poll()) {
        seen.push(...answer.events.map(({ message }: { message?: { id: number } }) => message?.id))
        last = answer.events.at(-1).id
        if (seen.includes(id)) break
      }
    }
  }
  assert.deepEqual(
    seen.filter((id) => sent.includes(id)),
    sent,
  )
  child.kill()
  assert.equal(await ended, 0)
  assert.equal(existsSync(file), false, 'the folder is still there')
})
