import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageId } from '../domain/ids.ts'
import { AnswerRoom, outward, RoomForAll, reachedRange } from './message-list.ts'

const MIB = 2 ** 20
const IDS = [1, 2, 3] as MessageId[]
const range = { ids: IDS, isAnchorFound: true, isOldestFound: true, isNewestFound: true }

/** The part of a range that fits, for messages of this many MiB each. */
function fitting(anchor: number, mib: number) {
  const room = new AnswerRoom()
  const taken = outward({ ids: IDS, anchor }).filter((id) => room.takes({ id, bytes: mib * MIB }))
  const { isOldestFound, isNewestFound } = reachedRange({ ...range, anchor }, room)
  return [taken.toSorted(), isOldestFound, isNewestFound]
}

test('a range is returned from its anchor on', () => {
  const ids = [2, 4, 6, 8] as MessageId[]
  const orders = [1, 4, 5, 8, 9].map((anchor) => outward({ ids, anchor }))
  const expected = [
    [2, 4, 6, 8],
    [4, 2, 6, 8],
    [6, 4, 8, 2],
    [8, 6, 4, 2],
    [8, 6, 4, 2],
  ]
  assert.deepEqual(orders, expected)
})

test('one message is returned however long it is, so that paging continues (SEC-RENDER-5)', () => {
  assert.deepEqual(fitting(1, 33), [[1], true, false])
  assert.deepEqual(fitting(2, 33), [[2], false, false])
  assert.deepEqual(fitting(3, 33), [[3], false, true])
  assert.deepEqual(fitting(4, 33), [[3], false, true])
  assert.deepEqual(fitting(2, 16), [[1, 2], true, false])
  assert.deepEqual(fitting(2, 10), [IDS, true, true])
  const all = new RoomForAll()
  assert.equal(all.takes({ id: 1 as MessageId, bytes: 33 * MIB }), true)
  assert.throws(() => all.takes({ id: 2 as MessageId, bytes: 0 }), /ask for fewer/)
})
