import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pauses } from '../db/pauses.ts'
import type { Readers } from '../db/repositories.ts'
import type { MessageId } from '../domain/ids.ts'
import { checkAnswerSize, fittingRange } from './answer-size.ts'

const MIB = 2 ** 20
const IDS = [1, 2, 3] as MessageId[]
const pauses = new Pauses()

function messagesOf(mib: number): Readers {
  const sizes = async () => new Map(IDS.map((id) => [id, mib * MIB]))
  return { messages: { sizes } } as unknown as Readers
}

test('one message is answered however long it is, so that whoever pages gets on (SEC-RENDER-5)', async () => {
  const range = { ids: IDS, isAnchorFound: true, isOldestFound: true, isNewestFound: true }
  for (const [anchor, found, oldest, newest] of [
    [1, [1], true, false],
    [2, [2], false, false],
    [3, [3], false, true],
    [4, [3], false, true],
  ] as const) {
    const fitting = await fittingRange(messagesOf(33), { ...range, anchor }, pauses)
    assert.deepEqual([fitting.ids, fitting.isOldestFound, fitting.isNewestFound], [found, oldest, newest])
  }
  assert.deepEqual((await fittingRange(messagesOf(16), { ...range, anchor: 2 }, pauses)).ids, [1, 2])
  assert.deepEqual((await fittingRange(messagesOf(10), { ...range, anchor: 2 }, pauses)).ids, IDS)
  await checkAnswerSize(messagesOf(33), IDS.slice(0, 1), pauses)
  await assert.rejects(checkAnswerSize(messagesOf(33), IDS, pauses), /ask for fewer/)
})
