import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../scripts/bench/processes.ts'
import { residentMiB } from '../scripts/bench/usage.ts'
import { temporaryFolder } from './process-testing.ts'

/** More than the threads of the pool, each of which would keep the 16 MiB of a hash. */
const LOGINS = 16

test('with the flags of npm start, memory for hashing is returned (SEC-MEM-6)', {
  skip: process.platform !== 'linux' && 'the allocator that would keep it is that of Linux',
}, async (t) => {
  const server = await startServer({
    dataFolder: await temporaryFolder(t),
    environment: { PARLEY_ORGANIZATION: 'empty' },
  })
  t.after(() => server.stop())
  const before = residentMiB(server)
  const body = new URLSearchParams({ username: 'nobody@parley.example', password: 'wrong' })
  const guess = () => fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body })
  for (const { status } of await Promise.all(Array.from({ length: LOGINS }, guess))) assert.equal(status, 401)
  const grown = residentMiB(server) - before
  assert.ok(grown < 24, `${grown.toFixed(0)} MiB more`)
})
