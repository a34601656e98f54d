import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServerPool } from '../server-pool-testing.ts'
import { isSampled } from '../tier-testing.ts'
import { Survey, surveyedChecks } from './survey-testing.ts'
import { unlike } from './survivors-testing.ts'

/** One in this many operations and event types; `npm run mutants` takes all. */
const ONE_SUBJECT_IN = 24

const survey = new Survey(new ServerPool(), (subject) => isSampled(subject, ONE_SUBJECT_IN))

// A test for each check: all of them take longer than one test may.
for (const check of surveyedChecks) test(`mutants of what ${check.id} asks`, () => survey.try(check))

test('servers with one fault are noticed, except for listed faults', () => {
  console.log(`noticed ${survey.noticed.size} of ${survey.made.size}`)
  assert.deepEqual(unlike(survey.missed, false), [])
})
