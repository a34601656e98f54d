/** Languages that users can choose for their clients, by code (EV-SETTINGS-4). */
const CODES: ReadonlySet<string> = new Set(
  (
    'ar be bg bn ca cs cy da de el en en-gb eo es et eu fa fi fr ga gl gu he hi hr hu id is it ja ka ko lt lv ' +
    'ml mn nl no pl pt pt-br ro ru si sk sl sr sv ta te th tl tr uk ur uz vi zh-hans zh-hant'
  ).split(' '),
)
/** Names that are better known than the names of Unicode. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['bn', 'Bengali'],
  ['tl', 'Tagalog'],
])

export function isLanguage(code: string): boolean {
  return CODES.has(code)
}

/** Returns the English name of a language; the code if it is unknown. */
export function languageName(code: string): string {
  if (!isLanguage(code)) return code
  return NAMES.get(code) ?? new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code
}
