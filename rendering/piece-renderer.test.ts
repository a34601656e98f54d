import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Allowance } from '../domain/allowance.ts'
import type { Clock } from '../domain/clock.ts'
import type { Piece } from '../domain/markdown/pieces.ts'
import { renderPiecesHere } from '../domain/markdown/tools.ts'
import { PieceRenderer } from './piece-renderer.ts'
import type { TimeLimit } from './piece-thread.ts'

const SQUARE: Piece = { kind: 'formula', tex: 'x^2', isDisplayed: true }
const CODE: Piece = { kind: 'code', code: 'int x = 1; // é\n', language: 'c++' }
/** Takes ten milliseconds or more. */
const LONG: Piece = { kind: 'code', code: 'int x;\n'.repeat(2500), language: 'c' }
const BAD: Piece = { kind: 'formula', tex: '\\nope{', isDisplayed: false }
/** Takes minutes. Too large for a message: the Markdown limits exclude it. */
const ENDLESS: Piece = { kind: 'code', code: 'a'.repeat(400_000), language: 'cpp' }
/** Expands to some gigabytes of tokens. */
const HUGE: Piece = { kind: 'formula', tex: `\\def\\a{${'x'.repeat(100_000)}}${'\\a'.repeat(900)}`, isDisplayed: false }

/** A clock that stands still, so that pieces do not time out while they wait on a busy machine. */
const clock: Clock = { now: () => 0, monotonic: () => 0 }

const renderers: PieceRenderer[] = []
after(() => Promise.all(renderers.map((renderer) => renderer.stop())))

function makeRenderer(limit?: Partial<TimeLimit>) {
  const errors: unknown[] = []
  const renderer = new PieceRenderer(clock, (err) => errors.push(err), limit)
  renderers.push(renderer)
  return { renderer, errors }
}

test('the HTML is that of the libraries, made in a thread that starts on demand (SEC-RENDER-1)', async () => {
  const { renderer, errors } = makeRenderer()
  assert.equal(renderer.isRunning, false)
  const pieces = [SQUARE, CODE, BAD]
  const htmls = await renderer.render(1, pieces)
  assert.equal(renderer.isRunning, true)
  assert.deepEqual(htmls, await renderPiecesHere(pieces))
  assert.match(htmls[0] ?? '', /katex-display/)
  assert.match(htmls[1] ?? '', /<span class="kt">int/)
  assert.equal(htmls[2], undefined)
  assert.deepEqual(errors, [])
})

test('pieces that take too long stay source, without blocking the event loop, and the next are rendered (SEC-RENDER-1, SEC-RENDER-2)', async () => {
  // On a busy machine the same work takes more processor time, especially the first formula of a thread.
  const { renderer, errors } = makeRenderer({ endMs: 1500 })
  let isRendered = false
  const endless = renderer.render(1, [SQUARE, ENDLESS]).finally(() => {
    isRendered = true
  })
  const next = renderer.render(1, [SQUARE])
  let turns = 0
  for (; !isRendered; turns++) await turn()
  assert.ok(turns > 100, `${turns} turns`)
  assert.deepEqual(await endless, [undefined, undefined])
  assert.match((await next)[0] ?? '', /katex/)
  assert.deepEqual(errors, [], 'that is nobody’s fault but the writer’s')
})

test('after the time is over no piece begins, and finished ones stay', async () => {
  const { renderer } = makeRenderer({ beginMs: 0, endMs: 10_000 })
  // A short piece may take no processor time that the system has counted.
  const [first, ...others] = await renderer.render(1, [LONG, SQUARE, CODE])
  assert.match(first ?? '', /int/)
  assert.deepEqual(others, [undefined, undefined])
})

test('pieces that take too much memory end the thread, not the server (SEC-RENDER-2)', async () => {
  const { renderer, errors } = makeRenderer({ beginMs: 600_000, endMs: 600_000 })
  assert.deepEqual(await renderer.render(1, [HUGE, SQUARE]), [undefined, undefined])
  assert.deepEqual(
    errors.map((err) => (err as { code?: string }).code),
    ['ERR_WORKER_OUT_OF_MEMORY'],
  )
  assert.match((await renderer.render(1, [SQUARE]))[0] ?? '', /katex/)
})

test('the HTML of one message is limited; further pieces stay source (SEC-RENDER-4)', async () => {
  const { renderer } = makeRenderer()
  const htmls = await renderer.render(1, [LONG, LONG, LONG, LONG, SQUARE])
  assert.deepEqual(
    htmls.map((html) => html !== undefined),
    [true, true, true, false, true],
  )
})

test('accounts take turns, and pay with their time (SEC-RENDER-3, SEC-RENDER-6)', async () => {
  const { renderer } = makeRenderer()
  const order: number[] = []
  const spent = new Map<number, number>()
  const asked = [1, 1, 1, 2].map(async (account) => {
    const allowance: Allowance = {
      check: () => order.push(account),
      spend: (ms) => spent.set(account, (spent.get(account) ?? 0) + ms),
    }
    await renderer.render(account, Array(200).fill(SQUARE), allowance) // one takes less than the system measures
  })
  await Promise.all(asked)
  assert.deepEqual(order, [1, 1, 2, 1])
  assert.ok([...spent.values()].every((ms) => ms > 0))
})

test('an account without time left is refused at its turn, without work (SEC-RENDER-6)', async () => {
  const { renderer } = makeRenderer()
  const refusal = new Error('nothing left')
  const allowance: Allowance = {
    check: () => {
      throw refusal
    },
    spend: () => assert.fail('nothing was done'),
  }
  await assert.rejects(renderer.render(1, [ENDLESS], allowance), refusal)
  assert.equal(renderer.isRunning, false)
})

test('the thread ends after a time without work, and never during work; the next pieces start another (SEC-MEM-7)', async () => {
  const { renderer, errors } = makeRenderer({ idleMs: 1 })
  await renderer.render(1, [SQUARE])
  const htmls = await renderer.render(1, Array(200).fill(SQUARE))
  assert.ok(htmls.every((html) => html !== undefined))
  while (renderer.isRunning) await turn()
  assert.match((await renderer.render(1, [SQUARE]))[0] ?? '', /katex/)
  assert.deepEqual(errors, [])
})

test('stopping does not wait for pieces', async () => {
  const { renderer, errors } = makeRenderer({ beginMs: 600_000, endMs: 600_000 })
  await renderer.render(1, [CODE])
  const asked = [renderer.render(1, [ENDLESS]), renderer.render(1, [SQUARE])]
  await turn()
  await renderer.stop()
  assert.deepEqual(await Promise.all(asked), [[undefined], [undefined]])
  assert.deepEqual(await renderer.render(1, [SQUARE]), [undefined])
  assert.equal(renderer.isRunning, false)
  assert.deepEqual(errors, [])
})
