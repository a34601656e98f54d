import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORMS, FULL_LENGTH } from './forms-testing.ts'
import { lookupCandidates, renderMessage } from './render.ts'
import { directory, rendererOf } from './testing.ts'

/** Characters: tables and formulas expand a lot. */
const LARGEST_HTML = 3_000_000
const renderPiece = await rendererOf('python')
const scope = { ...directory, renderPiece, translateEmoticons: true }

function work(content: string): number {
  const { html } = renderMessage(content, scope)
  lookupCandidates(content)
  return html.length
}

/** Processor time of this thread in milliseconds, so that other work on the machine does not count. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The minimum of three runs, because garbage collection only adds to it. */
function msOf(content: string): number {
  const runs = Array.from({ length: 3 }, () => {
    const start = cpuMs()
    work(content)
    return cpuMs() - start
  })
  return Math.min(...runs)
}

/** Milliseconds that the longest message may take in any case. */
const NO_TIME = 200

/**
 * Four times the text takes four times as long if time is linear, and sixteen times if it is quadratic. Quadratic terms
 * are fine if they are too small to matter for the longest message: markdown-it has one in `[`.
 */
test('take time that grows with the length, and make no more than a few megabytes', () => {
  for (const [name, form] of FORMS) {
    const content = form(FULL_LENGTH)
    const start = cpuMs()
    const length = work(content)
    assert.ok(length < LARGEST_HTML, `${JSON.stringify(name)}: ${length} characters`)
    if (cpuMs() - start < NO_TIME) continue
    const [quarter, whole] = [msOf(form(FULL_LENGTH / 4)), msOf(content)]
    assert.ok(whole < NO_TIME || whole < quarter * 12, `${JSON.stringify(name)}: ${quarter} ms, then ${whole} ms`)
    assert.ok(whole < 2000, `${JSON.stringify(name)}: ${whole} ms`)
  }
})
