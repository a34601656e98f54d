import { test } from 'node:test'
import { onEachDatabaseDaily } from '../../server/testing.ts'
import { checkUnreadLaw } from './unread-law-testing.ts'

const RUNS = { sqlite: 1000, mariadb: 200 } as const
const seed = Number(process.env.PARLEY_SEED ?? Date.now() % 2 ** 31)
console.log(`seed ${seed}`)

onEachDatabaseDaily('unread by blocks', (dialect) => {
  test('is unread by a list', () => checkUnreadLaw(dialect, seed, RUNS[dialect]))
})
