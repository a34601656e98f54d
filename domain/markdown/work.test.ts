import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { test } from 'node:test'
import { FORMS, FULL_LENGTH } from './forms-testing.ts'

/**
 * Maximum number of executed blocks for the longest message, without its formulas and code: some ten milliseconds, a
 * pause that nobody notices. The number is the same on every machine.
 */
const MAX_EXECUTIONS = 1_600_000

/**
 * Counts executed blocks of `work`. Only functions that were never called before are fully counted, because counting
 * must be compiled in.
 */
async function executionsOf(session: Session, work: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ranges = result.flatMap(({ functions }) => functions.flatMap((one) => one.ranges))
  return ranges.reduce((sum, { count }) => sum + count, 0)
}

test('work is proportional to the length of the text (SEC-RENDER-7)', async (t) => {
  const session = new Session()
  session.connect()
  t.after(() => session.disconnect())
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const { lookupCandidates, renderMessageWith } = await import('./render.ts')
  const { directory } = await import('./testing.ts')
  const scope = { ...directory, translateEmoticons: true }

  const words = 'some **words** of a message\n'.repeat(FULL_LENGTH / 28)
  const render = (content: string) => async () => {
    lookupCandidates(content)
    await renderMessageWith(content, scope, async (pieces) => pieces.map(() => ''))
  }
  const ordinary = await executionsOf(session, render(words))
  assert.ok(ordinary > FULL_LENGTH && ordinary < MAX_EXECUTIONS, `${ordinary} are counted for an ordinary text`)
  const costs: [number, string][] = []
  for (const [name, form] of FORMS) {
    const executions = await executionsOf(session, render(form(FULL_LENGTH)))
    costs.push([executions, name])
  }
  assert.deepEqual(
    costs.filter(([executions]) => executions > MAX_EXECUTIONS),
    [],
  )
})

test('a limited number of dates with a time zone is read in a message, each once; others stay text (SEC-RENDER-7)', async () => {
  const { renderMessage } = await import('./render.ts')
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'))
  const texts = zones.slice(0, 51).map((zone) => `<time:2020-01-01 ${zone}>`)
  const { html } = renderMessage([...texts, texts[0], '<time:2020-01-01>', '<time:06/05/2017>'].join('\n'), {})
  assert.equal(html.match(/<time /g)?.length, 53)
  assert.ok(html.includes(`&lt;time:2020-01-01 ${zones[50]}&gt;<br>`))
})
