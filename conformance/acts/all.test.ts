import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContract } from '../wire/contract.ts'
import { rightRequests } from './all.ts'

test('each operation that changes something, or needs a parameter, has a request that succeeds', () => {
  const without = [...readContract().operations.values()].filter(
    ({ id, method, parameters }) =>
      !(id in rightRequests) && (!['GET', 'POST'].includes(method) || parameters.some(({ required }) => required)),
  )
  assert.deepEqual(
    without.map(({ id }) => id),
    [],
  )
})
