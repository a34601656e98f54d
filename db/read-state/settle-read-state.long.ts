import { test } from 'node:test'
import { seed } from '../../conformance/seed-testing.ts'
import { onEachDatabase } from '../../server/testing.ts'
import { checkUnreadLaw } from './unread-law-testing.ts'

const RUNS = { sqlite: 1000, mariadb: 200 } as const
console.log(`seed ${seed}`)

onEachDatabase('unread by blocks', (dialect) => {
  test('is unread by a list', (t) => checkUnreadLaw(t, dialect, seed, RUNS[dialect]))
})
