/**
 * Spellings of the same name, one list each; texts in different lists are different names. Written by hand, so that the
 * comparison of names is checked against something that computes nothing.
 */
type Spellings = readonly string[]

const A_ACUTE_PARTS = 'a\u0301'
const E_ACUTE_PARTS = 'e\u0301'

/** Topic names. */
export const TOPICS: readonly Spellings[] = [
  ['lunch', 'Lunch', 'LUNCH', ' lunch '],
  ['', 'general chat', ' general chat '],
  ['Straße', 'STRASSE', 'strasse', 'STRAẞE', 'straße'],
  ['İstanbul', 'i\u0307stanbul', 'I\u0307STANBUL'],
  ['istanbul', 'ISTANBUL'],
  ['ıstanbul'],
  ['café', `caf${E_ACUTE_PARTS}`, 'CAFÉ', `CAF${E_ACUTE_PARTS.toUpperCase()}`],
  ['cafe', 'CAFE'],
  ['Σίσυφος', 'ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
  ['Привет, мир', 'ПРИВЕТ, МИР'],
  ['𐐀𐐁', '𐐨𐐩'],
  ['日本語'],
  ['ｗｉｄｅ', 'ＷＩＤＥ'],
  ['wide', 'WIDE'],
  ['مرحبا'],
  ['שלום'],
  ['ภาษาไทย'],
  ['🎉 party', '🎉 PARTY'],
  ['party'],
  ['👩‍💻'],
  ['👩💻'],
  [`100%_of 'it' "\\`, `100%_OF 'IT' "\\`],
  ['100%_of'],
  ['100xxof'],
  ['a b', 'A B'],
  ['a  b'],
  ['ab'],
]

/** Contents for searches, besides those sent for other reasons. */
export const SEARCHED_CONTENTS = [
  'Die **Straße** nach İstanbul',
  `un caf${E_ACUTE_PARTS}, 日本語を話す 🎉`,
  'foo-bar & ΣΊΣΥΦΟΣ, trailing spaces   ',
] as const
const [STREET, COFFEE, BOULDER] = SEARCHED_CONTENTS

/** Searches, with every topic and content that they find. Written by hand too. */
export const SEARCHES: readonly { readonly operand: string; readonly found: readonly string[] }[] = [
  { operand: 'STRASSE', found: ['Straße', 'STRASSE', 'strasse', 'STRAẞE', 'straße', STREET] },
  { operand: '"nach i\u0307stan"', found: [STREET] },
  { operand: '"stanbul"', found: [] },
  { operand: 'İstan', found: ['İstanbul', 'i\u0307stanbul', 'I\u0307STANBUL', STREET] },
  { operand: 'istanbul', found: ['istanbul', 'ISTANBUL'] },
  { operand: 'CAFÉ', found: ['café', `caf${E_ACUTE_PARTS}`, 'CAFÉ', `CAF${E_ACUTE_PARTS.toUpperCase()}`, COFFEE] },
  { operand: 'cafe', found: ['cafe', 'CAFE'] },
  { operand: '日本', found: ['日本語', COFFEE] },
  { operand: '本日', found: [] },
  { operand: '🎉', found: ['🎉 party', '🎉 PARTY', COFFEE] },
  { operand: 'part', found: ['🎉 party', '🎉 PARTY', 'party'] },
  { operand: 'foo-bar σίσυφος', found: [BOULDER] },
  { operand: 'σίσυφοσ', found: ['Σίσυφος', 'ΣΊΣΥΦΟΣ', 'σίσυφοσ', BOULDER] },
  { operand: 'мир', found: ['Привет, мир', 'ПРИВЕТ, МИР'] },
  { operand: '"a  b"', found: ['a  b'] },
  { operand: 'a', found: ['a b', 'A B', 'a  b'] },
  { operand: '->', found: [] },
]

/** Beginnings of channel names; a number follows. */
export const NAMES: readonly Spellings[] = [
  ['Channel', 'CHANNEL', 'channel'],
  ['Straße', 'strasse', 'STRAẞE'],
  ['İzmir', 'i\u0307zmir'],
  ['Izmir', 'izmir'],
  [`P${A_ACUTE_PARTS}ramo`, 'Páramo', 'PÁRAMO'],
  ['Paramo', 'paramo'],
  ['Όψις', 'ΌΨΙΣ', 'όψισ'],
  ['会議'],
  ['🎈', ' 🎈'],
  [`it's 5%_\\"`, `IT'S 5%_\\"`],
]
