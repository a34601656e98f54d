import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../domain/clock.ts'
import { RENDERING_MS_PER_USER } from '../domain/limits.ts'
import type { Rendering } from '../rendering/rendering.ts'
import { bareApp, served } from './bare-app-testing.ts'

const actorOf = async (header: string) => ({ id: Number(header), role: 100 })

/** The pipeline of POST /messages/render, with pieces that each take half of an account's allowance for a minute. */
async function startRendering({ rateLimits }: { rateLimits: boolean }) {
  const rendering: Pick<Rendering, 'of'> = {
    of: (_account, allowance) => ({
      inTurn: async (work) => work(),
      async renderPieces(pieces) {
        allowance?.check()
        allowance?.spend(RENDERING_MS_PER_USER.count / 2)
        return pieces.map(() => 'set')
      },
    }),
  }
  const nothing = { mentionable: async () => [], byNames: async () => [] }
  const read = {
    organization: { settings: { default_code_block_language: '' } },
    users: nothing,
    userGroups: nothing,
    customEmoji: nothing,
  }
  const services = { clock: systemClock, site: {}, db: { read } }
  const authenticator = { authenticate: actorOf, present: actorOf }
  const url = await served((await bareApp({ services, authenticator, rendering }, { rateLimits })).app)
  return async (account: number, content: string) => {
    const body = new URLSearchParams({ content })
    const headers = { Authorization: String(account) }
    const answer = await fetch(`${url}/api/v1/messages/render`, { method: 'POST', headers, body })
    const retryAfter = answer.headers.get('retry-after')
    return { status: answer.status, retryAfter, body: (await answer.json()) as Record<string, unknown> }
  }
}

test('an account has a number of milliseconds of rendering a minute (SEC-RENDER-6)', async () => {
  const render = await startRendering({ rateLimits: true })
  for (let count = 0; count < 2; count++) {
    const { status, body } = await render(1, '$$x$$')
    assert.deepEqual([status, body.rendered], [200, '<p>set</p>'])
  }
  const { status, retryAfter, body } = await render(1, '$$x$$')
  assert.deepEqual([status, body.code], [429, 'RATE_LIMIT_HIT'])
  assert.equal(retryAfter, String(body['retry-after']))
  assert.ok(Number(retryAfter) > 0 && Number(retryAfter) <= RENDERING_MS_PER_USER.windowSeconds)

  assert.equal((await render(1, 'plain')).status, 200, 'what costs nothing goes on')
  assert.equal((await render(2, '$$x$$')).status, 200, 'others go on')
})

test('PARLEY_RATE_LIMITS=off: without a limit', async () => {
  const render = await startRendering({ rateLimits: false })
  for (let count = 0; count < 4; count++) assert.equal((await render(1, '$$x$$')).status, 200)
})
