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
  /** Its texts of `msg` are asked of Parley alone. */
  readonly isTextOfParley: boolean
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
type Entry = Pick<Requirement, 'says' | 'untestable'> & Partial<Pick<Requirement, 'parts'>>

/** A schema in the test describes the form of the file. A comment is the heading of an area. */
function parseRequirements(text: string): Requirements {
  const { notes = {}, ...entries } = parse(text) as Record<string, Entry | string> & { notes?: Record<string, string> }
  const areas = areasIn(text)
  const read = Object.entries(entries).map(([id, entry]): [string, Requirement] => {
    const known: Entry = typeof entry === 'string' ? { says: entry } : entry
    return [id, { id, area: areas.get(id) ?? '', parts: {}, ...known, ...citedIn(id, known.says) }]
  })
  return { all: new Map(read), notes: new Map(Object.entries(notes)) }
}

/** What a sentence has in parentheses, such as `(NOTE-3, from level 312, text of Parley, see SUBS-2, SUBS-3)`. */
function citedIn(id: string, says: string): Pick<Requirement, 'from' | 'notes' | 'isTextOfParley' | 'sameAs'> {
  const [, from = 0] = /\bfrom level (\d+)[,)]/.exec(says) ?? /^LEVEL-(\d+)/.exec(id) ?? []
  return {
    from: Number(from),
    notes: says.match(/\bNOTE-\d+/g) ?? [],
    isTextOfParley: /\btext of Parley[,)]/.test(says),
    sameAs: /\bsee ([A-Z][\w, -]*)\)/.exec(says)?.[1]?.split(', ') ?? [],
  }
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
