import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { emailKey, MAX_KEY_GROWTH, nameKey, topicKey } from './text-keys.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(...'aIıİßẞſςσΣÅéΐᾂﬁKK \u0301\u0327\u0345\u0307\u00a0\ud800'), { maxLength: 12 })
    .map((characters) => characters.join('')),
)
const keys = { topicKey, nameKey, emailKey }

test('fold case in full', () => {
  for (const [key, ...variants] of [
    ['strasse', 'Straße', 'STRASSE', 'STRAẞE'],
    ['οδοσ', 'Οδος', 'ΟΔΟΣ', 'οδοσ'],
    ['éa', 'ÉA', 'E\u0301A'],
    ['fix', 'ﬁx', 'FIX', 'ﬁX'],
    ['i\u0307', 'İ', 'I\u0307'],
    ['k', 'K', '\u212a'],
    ['a', ' a', 'A \t', '\u00a0a'],
  ]) {
    for (const variant of variants) assert.equal(nameKey(variant), key, variant)
  }
})

test('keep different what differs in more than case', () => {
  for (const [one, other] of [
    ['ı', 'i'],
    ['e', 'é'],
    ['a b', 'ab'],
    ['ss', 's'],
  ] as const) {
    assert.notEqual(topicKey(one), topicKey(other))
  }
})

test('fold e-mail addresses without turning other letters into ASCII', () => {
  assert.equal(emailKey(' Iago@Example.COM\n'), 'iago@example.com')
  assert.equal(emailKey('É@x.y'), emailKey('e\u0301@x.y'))
  for (const [one, other] of [
    ['ı@x.y', 'i@x.y'],
    ['ſ@x.y', 's@x.y'],
    ['ß@x.y', 'ss@x.y'],
    ['ﬁ@x.y', 'fi@x.y'],
    ['é\u00a0@x.y', 'é@x.y'],
  ] as const) {
    assert.notEqual(emailKey(one), emailKey(other))
  }
})

test('the key of a key is the same key, well-formed, composed, trimmed', () => {
  for (const [name, keyOf] of Object.entries(keys)) {
    fc.assert(
      fc.property(anyText, (text) => {
        const key = keyOf(text)
        assert.equal(keyOf(key), key, name)
        assert.ok(key.isWellFormed())
        assert.equal(key, key.normalize('NFC'))
        assert.equal(key, key.trim())
      }),
      { numRuns: 500 },
    )
  }
})

test('ignore case, composition and outer white space', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const key = nameKey(text)
      for (const variant of [text.normalize('NFD'), text.normalize('NFC'), `${text} `, `\t${text}`]) {
        assert.equal(nameKey(variant), key)
      }
      if (!text.includes('ı')) {
        const decomposed = text.toWellFormed().normalize('NFD') // or upper case would move accents onto the iota subscript
        for (const variant of [decomposed.toUpperCase(), decomposed.toLowerCase()]) assert.equal(nameKey(variant), key)
      }
    }),
    { numRuns: 500 },
  )
})

test('grow by the documented factor at most', () => {
  assert.equal([...'ᾂ'.normalize('NFD')].length, MAX_KEY_GROWTH)
  for (const keyOf of Object.values(keys)) {
    fc.assert(
      fc.property(anyText, (text) => assert.ok([...keyOf(text)].length <= MAX_KEY_GROWTH * [...text].length)),
      { numRuns: 500 },
    )
  }
})
