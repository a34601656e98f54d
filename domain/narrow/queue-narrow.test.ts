import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageLogEvent } from '../events/log-event.ts'
import { matchesQueueNarrow } from './queue-narrow.ts'

test('an address is that of the sender in any case and in any form of Unicode', () => {
  const message = { sender_email: 'jörg@parley.example', sender_id: 7 } as MessageLogEvent['message']
  const matches = (operand: string) => matchesQueueNarrow({ message, flags: [] }, [['sender', operand]])
  for (const one of ['jörg@parley.example', 'JÖRG@parley.example', 'jo\u0308rg@parley.example', '7']) {
    assert.ok(matches(one), one)
  }
  assert.ok(!matches('jorg@parley.example'))
})
