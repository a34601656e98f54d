import { test } from 'node:test'
import { isFull } from '../tier-testing.ts'
import { mustBeMoved, triedChecks } from './each-check-testing.ts'

// `npm run test:full` tries all, and has a separate file for effects.
for (const check of triedChecks((id) => !isFull || !id.startsWith('effects/'))) {
  test(`everything that ${check.id} says can be found wrong`, (t) => mustBeMoved(check, t))
}
