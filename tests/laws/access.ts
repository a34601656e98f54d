import assert from 'node:assert/strict'
import type { Ground } from '../../conformance/laws/action-kind.ts'
import { anyOf } from '../../conformance/laws/actions.ts'
import { fc } from '../../conformance/seed-testing.ts'
import type { TestServer } from '../../server/testing.ts'
import { AccessCheck, ALL, type Question } from './access-check.ts'
import { ADMIN, GUEST, OURS, OWNER, PEOPLE, type Person, worldAt } from './ground.ts'
import { type AccessAction, Model } from './model.ts'
import { anyNarrow } from './narrows.ts'
import { TOPICS } from './spellings.ts'
import type { Tally } from './tally.ts'

export interface AccessOptions {
  readonly seed: number
  readonly runs: number
  /** Narrows requested in each run, by random people. */
  readonly narrowsARun: number
  readonly actionsARun: number
  /**
   * When shrinking a counterexample ends, so that it is reported before the runner stops the test; runs without a
   * counterexample end then too.
   */
  readonly limitMs: number
}

/** An archived channel has nothing to see any more. */
const WEIGHTS = { ...OURS.weights, send: 12, move: 10, resolve: 4, edit: 6, delete: 3, 'archive channel': 1 }
// The model knows the messages that people send.
const GROUND: Ground = {
  ...OURS,
  topic: fc.constantFrom(...TOPICS.flat()),
  isTold: fc.constant(false),
  weights: WEIGHTS,
}
const KINDS = [
  ...['send', 'send direct', 'edit', 'move', 'resolve', 'delete'],
  ...['subscribe', 'unsubscribe', 'create channel', 'archive channel', 'create user'],
]
const FIRST = { kind: 'create channel', who: OWNER, name: ['First'], others: [ADMIN], isPrivate: false } as const

const anyQuestion: fc.Arbitrary<Question> = fc
  .record({
    viewer: fc.constantFrom(...PEOPLE),
    narrow: anyNarrow,
    anchor: fc.oneof(
      fc.constantFrom('newest' as const, 'oldest' as const, 'first_unread' as const),
      fc.nat({ max: 40 }),
    ),
    before: fc.constantFrom(0, 1, 3, ALL),
    after: fc.constantFrom(0, 1, 3, ALL),
    includeAnchor: fc.boolean(),
  })
  // Excluding the anchor in the middle of a range is refused.
  .map((question) => ({
    ...question,
    includeAnchor: question.includeAnchor || (question.before > 0 && question.after > 0),
  }))

/**
 * Nobody finds anything that they may not see, and everybody finds the rest: messages one by one, by narrow, and as
 * events. Compared with a model that follows the actions and asks the server nothing. Many runs may use the server's
 * organization; earlier data is ignored.
 */
export async function checkAccess(server: TestServer, tally: Tally, options: AccessOptions): Promise<void> {
  const model = new Model()
  const anyRun = fc.record({
    setup: fc.array(anyOf(['create channel'], GROUND), { minLength: 2, maxLength: 3 }),
    actions: fc.array(anyOf(KINDS, GROUND), {
      minLength: options.actionsARun / 2,
      maxLength: options.actionsARun,
    }),
    questions: fc.array(anyQuestion, { minLength: options.narrowsARun, maxLength: options.narrowsARun }),
    everywhere: fc.subarray<Person>(PEOPLE.filter((person) => person !== GUEST)),
  })
  await fc.assert(
    fc.asyncProperty(anyRun, async ({ setup, actions, questions, everywhere }) => {
      const check = new AccessCheck(model, await worldAt(server), tally)
      await check.settle()
      const queues = await Promise.all(PEOPLE.map((person) => check.register(person, everywhere.includes(person))))
      for (const action of [FIRST, ...setup, ...actions]) await check.perform(action as AccessAction)
      for (const person of PEOPLE) {
        await check.events(person, queues[person] ?? assert.fail(), everywhere.includes(person))
        await check.lists(person)
        await check.messages(person)
        await check.topics(person)
        await check.channels(person)
      }
      for (const question of questions) await check.question(question)
      await check.hideHistories()
      for (const person of PEOPLE) {
        await check.messages(person)
        await check.topics(person)
      }
      await check.world.end()
    }),
    {
      seed: options.seed,
      numRuns: options.runs,
      interruptAfterTimeLimit: options.limitMs,
    },
  )
}
