import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REACTION_TYPES, reactionTypeOf, WIRE_VALUES, wireReactionType } from './wire-values.ts'

test('accept every word that any client is sent', () => {
  for (const values of WIRE_VALUES) {
    for (const type of REACTION_TYPES) assert.equal(reactionTypeOf(wireReactionType(type, values)), type)
  }
})

test('translate between the words of the contract and of clients', () => {
  const words = (values: 'contract' | 'clients') => REACTION_TYPES.map((type) => wireReactionType(type, values))
  assert.deepEqual(words('contract'), ['unicode_emoji', 'realm_emoji', 'service_extra_emoji'])
  assert.deepEqual(words('clients'), ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'])
})

test('know no other words', () => {
  for (const word of ['', 'unicode', 'Unicode_Emoji', 'zulip_emoji', 'constructor', '__proto__']) {
    assert.equal(reactionTypeOf(word), undefined, word)
  }
})
