import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Feature levels, both included, at which something holds. */
export interface Levels {
  readonly from?: number
  readonly until?: number
}

export interface Requirement {
  readonly id: string
  /** The heading under which reports list it. */
  readonly area: string
  /** One sentence, Markdown. */
  readonly says: string
  /** The first feature level at which it holds. */
  readonly from: number
  /** Parts of it that have levels of their own, by name. */
  readonly parts: Readonly<Record<string, Levels>>
  /** Ids of the notes that it cites. */
  readonly notes: readonly string[]
  /** Ids of the requirements whose checks also check this one; they have checks of their own. */
  readonly sameAs: readonly string[]
  /** The part that only Parley must do: the texts of `msg`. */
  readonly ours?: 'msg'
  /** Why no client can see whether it holds. */
  readonly untestable?: string
}

export interface Requirements {
  /** By id, in the order of the file. */
  readonly all: ReadonlyMap<string, Requirement>
  /** Texts by id. */
  readonly notes: ReadonlyMap<string, string>
}

let own: Requirements | undefined

/** The requirements that come with the suite. Read once, because a process may run the suite many times. */
export function readRequirements(): Requirements {
  own ??= parseRequirements(readFileSync(join(import.meta.dirname, 'requirements.yaml'), 'utf8'))
  return own
}

/** The form of a requirement in requirements.yaml, unless it is only the sentence. */
interface Entry extends Pick<Requirement, 'says' | 'ours' | 'untestable'> {
  readonly parts?: Requirement['parts']
  readonly 'same-as'?: readonly string[]
}

/** A schema in the test describes the form of the file. A comment is the heading of an area. */
function parseRequirements(text: string): Requirements {
  const { notes = {}, ...entries } = parse(text) as Record<string, Entry | string> & { notes?: Record<string, string> }
  const areas = areasIn(text)
  const read = Object.entries(entries).map(([id, entry]): [string, Requirement] => {
    const known: Entry = typeof entry === 'string' ? { says: entry } : entry
    const { parts = {}, 'same-as': sameAs = [], ...others } = known
    const cited = known.says.match(/\bNOTE-\d+/g) ?? []
    const from = levelIn(known.says) ?? levelIn(id) ?? 0
    return [id, { id, area: areas.get(id) ?? '', ...others, from, parts, notes: cited, sameAs }]
  })
  return { all: new Map(read), notes: new Map(Object.entries(notes)) }
}

/** The level of `LEVEL-312a`, or of a sentence with `(from level 312)`. */
function levelIn(text: string): number | undefined {
  const [, ofId, ofSentence] = /^LEVEL-(\d+)|\bfrom level (\d+)\)/.exec(text) ?? []
  const from = ofId ?? ofSentence
  return from === undefined ? undefined : Number(from)
}

function areasIn(text: string): ReadonlyMap<string, string> {
  const areas = new Map<string, string>()
  let heading = ''
  for (const [, area, id] of text.matchAll(/^# (.*)|^([A-Z]+[\w-]*):/gm)) {
    if (area !== undefined) heading = area
    else if (id !== undefined) areas.set(id, heading)
  }
  return areas
}

/**
 * Whether `requirement`, or its `part`, applies to a server of `featureLevel`.
 *
 * @throws {Error} if the requirement has no part of that name
 */
export function holdsAt({ id, from, parts }: Requirement, featureLevel: number, part?: string): boolean {
  const levels = part === undefined ? {} : parts[part]
  if (levels === undefined) throw new Error(`${id} has no part ${part}`)
  const { from: first = from, until = Number.POSITIVE_INFINITY } = levels
  return Math.max(from, first) <= featureLevel && featureLevel <= until
}
