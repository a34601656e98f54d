import { test } from 'node:test'
import { mustBeMoved, triedChecks } from './each-check-testing.ts'

for (const check of triedChecks((id) => id.startsWith('effects/'))) {
  test(`everything that ${check.id} says can be found wrong`, (t) => mustBeMoved(check, t))
}
