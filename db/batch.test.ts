import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventId, MessageId } from '../domain/ids.ts'
import { Batch } from './batch.ts'

test('a batch has nothing of a failed body: no IDs, events or search terms', () => {
  const batch = new Batch()
  batch.begin({ messageId: 5 as MessageId, eventId: 7 as EventId, bytes: 100 })
  const body = (terms: string): void => {
    batch.searchChanges.push({ messageId: batch.nextMessageId(), terms })
    batch.append({ type: 'tick' }, { to: 'everyone' }, 2)
  }
  body('first')
  const takeBack = batch.mark()
  body('failed')
  takeBack()
  body('third')
  assert.deepEqual(batch.searchChanges, [
    { messageId: 6, terms: 'first' },
    { messageId: 7, terms: 'third' },
  ])
  assert.deepEqual(
    batch.events.map(({ id }) => id),
    [8, 10],
  )
  assert.deepEqual(batch.counters, { messageId: 7, eventId: 11, bytes: 100 })
})

test('the size of a body is that of its events and audiences, also if it fails', () => {
  const batch = new Batch()
  batch.begin({ messageId: 0 as MessageId, eventId: 0 as EventId, bytes: 0 })
  const write = () => batch.append({ type: 'tick' }, { to: 'everyone' }, 1)
  for (const count of [2, 3]) {
    const takeBack = batch.mark()
    for (let written = 0; written < count; written += 1) write()
    assert.equal(batch.bodyBytes, count * '{"type":"tick"}{"to":"everyone"}'.length)
    takeBack()
  }
})
