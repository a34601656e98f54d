import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServerPool } from '../server-pool-testing.ts'
import { isSampled } from '../tier-testing.ts'
import { Survey, surveyedChecks } from './survey-testing.ts'
import { unlike } from './survivors-testing.ts'

/** One in this many operations and event types; `npm run mutants` takes all. */
const ONE_SUBJECT_IN = 24

const servers = new ServerPool()

test('servers that do one thing wrong are noticed, but for those that are listed', async () => {
  const survey = new Survey(servers, (subject) => isSampled(subject, ONE_SUBJECT_IN))
  for (const check of surveyedChecks) await survey.try(check)
  console.log(`noticed ${survey.noticed.size} of ${survey.made.size}`)
  assert.deepEqual(unlike(survey.missed, false), [])
})
