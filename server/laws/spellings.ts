/**
 * Texts that mean the same name however they are written, one list each; texts of different lists are different names.
 * Written by hand, so that what compares names is held against something that computes nothing.
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

/** What channel names begin with; a number of their own follows. */
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
