import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsIn } from '../text/texts-testing.ts'
import { emojiCodeOf, emojiNameOf, emojiNames, literalEmojiAt } from './unicode.ts'

const table = Object.entries(emojiNames)
const EMOJI_STYLE = '\ufe0f'

function literal(code: string): string {
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}

test('know the names that clients send without a code', () => {
  const known = {
    octopus: '1f419',
    tada: '1f389',
    party_popper: '1f389',
    '+1': '1f44d',
    thumbs_up: '1f44d',
    '-1': '1f44e',
    heart: '2764',
    smile: '1f642',
    working_on_it: '1f6e0',
    hammer_and_wrench: '1f6e0',
    check: '2705',
    check_mark: '2714',
    eyes: '1f440',
    rocket: '1f680',
    cry: '1f622',
    laughing: '1f606',
    palm_tree: '1f334',
    hamburger: '1f354',
    bus: '1f68c',
    car: '1f697',
    sick: '1f912',
    calendar: '1f4c5',
    house: '1f3e0',
    one: '0031-20e3',
    germany: '1f1e9-1f1ea',
    rainbow_flag: '1f3f3-200d-1f308',
    england: '1f3f4-e0067-e0062-e0065-e006e-e0067-e007f',
  }
  for (const [name, code] of Object.entries(known)) assert.equal(emojiCodeOf(name), code, name)
})

test('return canonical names of well-known emoji', () => {
  const canonical = { '1f44d': '+1', '1f389': 'tada', '1f642': 'smile', 2764: 'heart', '1f6e0': 'working_on_it' }
  for (const [code, name] of Object.entries(canonical)) assert.equal(emojiNameOf(code), name)
})

test('every name has a code whose canonical name has the same code', () => {
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

test('refuse names and codes that only look alike', () => {
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

test('take the longest match, with selectors inside, and nothing after it', () => {
  const rainbow = '🏳\ufe0f\u200d🌈'
  assert.deepEqual(literalEmojiAt(`${rainbow}🌈`, 0), { code: '1f3f3-200d-1f308', name: 'rainbow_flag', length: 6 })
  assert.equal(literalEmojiAt('🇩🇪🇫🇷', 0)?.code, '1f1e9-1f1ea')
  assert.equal(literalEmojiAt('🇩🇪🇫🇷', 4)?.code, '1f1eb-1f1f7')
  assert.equal(literalEmojiAt('1\ufe0f\u20e3', 0)?.code, '0031-20e3')
  assert.equal(literalEmojiAt('🐙🐙', 2)?.length, 2)
})

test('ignore ordinary text and incomplete emoji', () => {
  const astronaut = '👩🏽\u200d🚀'
  for (const position of [0, 2, 4, 5]) assert.equal(literalEmojiAt(astronaut, position), undefined, String(position))
  for (const text of ['', ...textsIn('1 # © ™␣ ↔ é 漢 👍🏽 ❤\ufe0e 🇩 🏴\u{e0075}\u{e0073}\u{e007f} \ud83d')]) {
    assert.equal(literalEmojiAt(text, 0), undefined, text)
  }
  assert.equal(literalEmojiAt('🐙', 1), undefined)
  assert.equal(literalEmojiAt('🐙', 2), undefined)
})
