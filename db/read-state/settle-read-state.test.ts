import { test } from 'node:test'
import { onEachDatabase } from '../../server/testing.ts'
import { checkUnreadLaw } from './unread-law-testing.ts'

const seed = Number(process.env.PARLEY_SEED ?? 482)

onEachDatabase('unread by blocks', (dialect) => {
  test('is unread by a list', () => checkUnreadLaw(dialect, seed, 15))
})
