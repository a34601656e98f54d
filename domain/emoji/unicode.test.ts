import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsIn } from '../text/texts-testing.ts'
import { emojiCodeOf, emojiNameOf, emojiNames, literalEmojiAt } from './unicode.ts'

const table = Object.entries(emojiNames)
const EMOJI_STYLE = '\ufe0f'

function literal(code: string): string {
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}

test('resolve every name to a code whose canonical name resolves back', () => {
  assert.ok(table.length > 1800, String(table.length))
  for (const [code, names] of table) {
    for (const name of names) assert.equal(emojiCodeOf(name), code, name)
    const canonical = emojiNameOf(code)
    assert.ok(canonical)
    assert.equal(emojiCodeOf(canonical), code)
  }
})

test('write codes without variation selectors, and have no skin tones', () => {
  for (const [code] of table) {
    assert.match(code, /^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/)
    assert.doesNotMatch(code, /fe0f|1f3f[b-f]/)
  }
})

test('know no name or code that only looks like one', () => {
  for (const name of ['', 'Octopus', ' octopus', 'no_such', '1f419', '__proto__', 'constructor', 'toString']) {
    assert.equal(emojiCodeOf(name), undefined, name)
  }
  for (const code of ['', '1F419', 'octopus', '1f3fd', '31-20e3', '1f1e9', '__proto__', 'constructor']) {
    assert.equal(emojiNameOf(code), undefined, code)
  }
})

test('find the literal of every code in the middle of a text', () => {
  for (const [code, names] of table) {
    const points = literal(code)
    const isText = !code.includes('-') && Number.parseInt(code, 16) < 0x2300
    for (const written of isText ? [points + EMOJI_STYLE] : [points, points + EMOJI_STYLE]) {
      const found = literalEmojiAt(`a${written} b`, 1)
      assert.deepEqual(found, { code, name: names[0], length: written.length }, code)
    }
  }
})

test('take the longest, with selectors inside, and nothing of what follows', () => {
  const rainbow = '🏳\ufe0f\u200d🌈'
  assert.deepEqual(literalEmojiAt(`${rainbow}🌈`, 0), { code: '1f3f3-200d-1f308', name: 'rainbow_flag', length: 6 })
  assert.equal(literalEmojiAt('🇩🇪🇫🇷', 0)?.code, '1f1e9-1f1ea')
  assert.equal(literalEmojiAt('🇩🇪🇫🇷', 4)?.code, '1f1eb-1f1f7')
  assert.equal(literalEmojiAt('1\ufe0f\u20e3', 0)?.code, '0031-20e3')
  assert.equal(literalEmojiAt('🐙🐙', 2)?.length, 2)
})

test('leave ordinary text, and what is only a part', () => {
  const astronaut = '👩🏽\u200d🚀'
  for (const position of [0, 2, 4, 5]) assert.equal(literalEmojiAt(astronaut, position), undefined, String(position))
  for (const text of ['', ...textsIn('1 # © ™␣ ↔ é 漢 👍🏽 ❤\ufe0e 🇩 🏴\u{e0075}\u{e0073}\u{e007f} \ud83d')]) {
    assert.equal(literalEmojiAt(text, 0), undefined, text)
  }
  assert.equal(literalEmojiAt('🐙', 1), undefined)
  assert.equal(literalEmojiAt('🐙', 2), undefined)
})
