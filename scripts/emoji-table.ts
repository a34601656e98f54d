/**
 * `node scripts/emoji-table.ts && npm run check -- --fix`: rewrites domain/emoji/table.json from emojibase-data after
 * an update of that package. The table is in the repository because a server needs it, and the package is a development
 * dependency of 49 MB.
 */
import { readFileSync, writeFileSync } from 'node:fs'

/** An emoji of the data package; `hexcode` is like `1F3F3-FE0F-200D-1F308`. */
interface SourceEmoji {
  readonly hexcode: string
  /** Absent for the letters that form flags. */
  readonly group?: number
  readonly subgroup?: number
}

/** By `hexcode`, here possibly without variation selectors. */
type Shortcodes = Readonly<Record<string, string | readonly string[]>>

interface EmojiSources {
  readonly emoji: readonly SourceEmoji[]
  readonly iamcal: Shortcodes
  readonly github: Shortcodes
  readonly cldr: Shortcodes
}

/** Skin tones and hair: parts of emoji, not emoji by themselves. */
const COMPONENTS = 2
const COUNTRY_FLAGS = 98

/**
 * Names that clients of this API send on their own, for example for suggested statuses and reactions, and that the
 * three lists lack or use for another emoji. The first name is the canonical one.
 */
const WELL_KNOWN: Readonly<Record<string, readonly string[]>> = {
  '1f642': ['smile'],
  '1f604': ['big_smile'],
  '1f6e0': ['working_on_it'],
  '2705': ['check'],
  '2714': ['check_mark'],
  '1f4c5': ['calendar'],
  '1f912': ['sick'],
}

/**
 * Names by code, the canonical one first. Each name is used once: WELL_KNOWN goes before iamcal, GitHub and CLDR, and
 * flags of countries come last. Codes are lower-case code points joined by `-`, without variation selectors.
 *
 * @throws {Error} that names an emoji without a name, or a name that cannot stand between colons
 */
export function emojiTable({ emoji, iamcal, github, cldr }: EmojiSources): Record<string, string[]> {
  const shown = emoji.filter(({ group }) => group !== undefined && group !== COMPONENTS)
  const table = new Map(shown.map(({ hexcode }) => [codeOf(hexcode), new Set<string>()]))
  const taken = new Set<string>()
  function give(code: string, names: string | readonly string[] = []): void {
    for (const name of [names].flat()) {
      if (!/^[a-z0-9_+-]+$/.test(name)) throw new Error(`emoji ${code}: ${name} cannot stand between colons`)
      if (taken.has(name)) continue
      taken.add(name)
      table.get(code)?.add(name)
    }
  }
  for (const [code, names] of Object.entries(WELL_KNOWN)) give(code, names)
  const [flags, others] = [shown.filter(isCountryFlag), shown.filter((one) => !isCountryFlag(one))]
  for (const list of [iamcal, github, cldr]) for (const { hexcode } of others) give(codeOf(hexcode), list[hexcode])
  for (const { hexcode } of flags) give(codeOf(hexcode), String(cldr[hexcode]).replace(/^flag_/, ''))
  for (const list of [github, cldr, iamcal]) for (const { hexcode } of flags) give(codeOf(hexcode), list[hexcode])
  const nameless = [...table].filter(([, names]) => names.size === 0).map(([code]) => code)
  if (nameless.length > 0) throw new Error(`emoji without a name: ${nameless.join(', ')}`)
  return Object.fromEntries([...table].map(([code, names]) => [code, [...names].sort(wordsFirst)]))
}

/** Sorts `rainbow_flag` before `rainbow-flag`, so that canonical names use underscores. Otherwise the order stays. */
function wordsFirst(one: string, other: string): number {
  return Number(/\w-/.test(one)) - Number(/\w-/.test(other))
}

/** Flags of countries and regions: CLDR has whole words (`flag_fiji`) where iamcal has abbreviations (`flag-fj`). */
function isCountryFlag({ group, subgroup }: SourceEmoji): boolean {
  return group === 9 && subgroup !== undefined && subgroup >= COUNTRY_FLAGS
}

function codeOf(hexcode: string): string {
  return hexcode.toLowerCase().replaceAll('-fe0f', '')
}

/** @throws {Error} if the data package, a development dependency, is not installed */
export function readEmojiSources(): EmojiSources {
  return {
    emoji: parse(import.meta.resolve('emojibase-data/en/data.json')) as SourceEmoji[],
    iamcal: parse(import.meta.resolve('emojibase-data/en/shortcodes/iamcal.json')) as Shortcodes,
    github: parse(import.meta.resolve('emojibase-data/en/shortcodes/github.json')) as Shortcodes,
    cldr: parse(import.meta.resolve('emojibase-data/en/shortcodes/cldr.json')) as Shortcodes,
  }
}

function parse(fileUrl: string): unknown {
  return JSON.parse(readFileSync(new URL(fileUrl), 'utf8'))
}

export const EMOJI_TABLE = new URL('../domain/emoji/table.json', import.meta.url)

if (import.meta.main) writeFileSync(EMOJI_TABLE, `${JSON.stringify(emojiTable(readEmojiSources()), null, 2)}\n`)
