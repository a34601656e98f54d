import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { embeddedConfig } from '../config.ts'
import { LocalVerbs } from './local-verbs.ts'

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function opened(t: TestContext, dataFolder: string, port = 0): Promise<LocalVerbs> {
  const verbs = await LocalVerbs.open(embeddedConfig({ dataFolder, port, logLevel: 'error' }))
  t.after(() => verbs.stop().catch(() => undefined))
  return verbs
}

/** Creates a file that nothing can copy, as if it vanished at that moment. */
async function uncopyable(t: TestContext, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const server = createServer().listen(join(folder, 's'))
  await once(server, 'listening')
  t.after(() => server.close())
}

test('a snapshot ignores uploads in progress, and a failed one keeps the former one', async (t) => {
  const folder = await folderFor(t)
  const verbs = await opened(t, folder)
  await uncopyable(t, join(folder, 'uploads/unfinished'))
  const kept = await verbs.newUser('Kept')
  await verbs.snapshot()
  await verbs.newUser('Late')
  await uncopyable(t, join(folder, 'uploads/files/ab'))
  await assert.rejects(verbs.snapshot())
  await verbs.reset()
  await assert.rejects(stat(join(folder, 'uploads/files/ab')), 'the former snapshot')
  const headers = { Authorization: `Basic ${btoa(`${kept.email}:${kept.api_key}`)}` }
  assert.equal((await fetch(`${verbs.url}/api/v1/users/me`, { headers })).status, 200)
})

test('a server that fails to start closes its port, and can be reset or stopped', async (t) => {
  const folder = await folderFor(t)
  const verbs = await opened(t, folder)
  await verbs.snapshot()
  await writeFile(join(folder, 'testing-snapshot/parley.sqlite'), 'damaged')
  await assert.rejects(verbs.reset())
  await assert.rejects(verbs.newUser('Ada'), /did not start/)
  await verbs.reset({ to: 'start' })
  await verbs.newUser('Ada')
  await verbs.snapshot()
  await writeFile(join(folder, 'testing-snapshot/parley.sqlite'), 'damaged')
  await assert.rejects(verbs.reset())
  await verbs.stop()
  for (const late of [verbs.restart(), verbs.advance(1), verbs.limitRates(1)]) {
    await assert.rejects(late, /has been stopped/)
  }
  const { port } = new URL(verbs.url)
  await assert.rejects(opened(t, folder, Number(port)), /damaged|not a database/)
  const again = createServer().listen(Number(port), '127.0.0.1')
  await once(again, 'listening')
  again.close()
})

test('a later start on the same data continues at the time of the former one', async (t) => {
  const folder = await folderFor(t)
  const first = await opened(t, folder)
  await first.advance(864_000_000)
  await first.stop()
  const second = await opened(t, folder)
  const aheadMs = async (): Promise<number> => {
    const { headers } = await fetch(`${second.url}/api/v1/server_settings`)
    return Date.parse(headers.get('Date') ?? '') - Date.now()
  }
  assert.ok((await aheadMs()) > 863_000_000)
  await second.advance(864_000_000)
  await second.reset({ to: 'start' })
  const afterReset = await aheadMs()
  assert.ok(afterReset > 863_000_000 && afterReset < 865_000_000, `${afterReset}`)
})
