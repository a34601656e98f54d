import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, isScalar, parseDocument } from 'yaml'
import { areaOf } from './areas.ts'

export const kinds = ['MUST', 'SHOULD', 'MAY'] as const

/** MUST: the contract requires it. SHOULD: deployed servers do it. MAY: more than one behaviour is right. */
export type Kind = (typeof kinds)[number]

const ownParts = ['all', 'msg'] as const
export type Ours = (typeof ownParts)[number]

/** Feature levels, both included, at which a requirement, or the part of it named by `of`, holds. */
export interface Levels {
  readonly of?: string
  readonly from?: number
  readonly until?: number
}

export interface Requirement {
  readonly id: string
  /** The heading under which reports list it. */
  readonly area: string
  /** One sentence, Markdown. */
  readonly says: string
  /** Empty: all levels. At most one entry has no `of`. */
  readonly levels: readonly Levels[]
  readonly kind: Kind
  /** Ids of the notes that explain how the checks read it. */
  readonly notes: readonly string[]
  /** Ids of the requirements whose checks also check this one; they have checks of their own. */
  readonly sameAs: readonly string[]
  /** What only Parley must do: all of it, or the texts of `msg`. */
  readonly ours?: Ours
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

/** @throws {Error} with everything that is wrong with `text`: one line each, starting with the id */
export function parseRequirements(text: string): Requirements {
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: true })
  if (document.errors.length > 0) fail(document.errors.map(({ message }) => message))
  if (!isMap(document.contents)) fail(['the file is not a mapping of ids to requirements'])
  const { notes: noteTexts, ...entries } = document.toJS() as Record<string, unknown>
  const problems = repeatedKeys(document.contents)
  const notes = readNotes(noteTexts, problems)
  const read = Object.entries(entries).map(([id, entry]) => readRequirement(id, entry, problems))
  const all = new Map(read.filter((one) => one !== undefined).map((one) => [one.id, one]))
  problems.push(...referenceProblems(all, notes, new Set(Object.keys(entries))), ...repeatedSentences(all))
  if (problems.length > 0) fail(problems)
  return { all, notes }
}

/**
 * Whether `requirement`, or its `part`, applies to a server of `featureLevel`.
 *
 * @throws {Error} if the requirement has no part of that name
 */
export function holdsAt({ id, levels }: Requirement, featureLevel: number, part?: string): boolean {
  if (part !== undefined && !levels.some(({ of }) => of === part)) throw new Error(`${id} has no part ${part}`)
  return levels
    .filter(({ of }) => of === undefined || of === part)
    .every(({ from = 0, until = Number.POSITIVE_INFINITY }) => from <= featureLevel && featureLevel <= until)
}

function fail(problems: readonly string[]): never {
  throw new Error(`requirements.yaml\n  ${problems.join('\n  ')}`)
}

function repeatedKeys(contents: unknown): string[] {
  if (!isMap(contents)) return []
  const seen = new Set<string>()
  return contents.items.flatMap(({ key, value }) => {
    const name = String(isScalar(key) ? key.value : key)
    const inner = repeatedKeys(value).map((problem) => `${name}: ${problem}`)
    if (seen.has(name)) inner.push(`${name} occurs twice`)
    seen.add(name)
    return inner
  })
}

function readNotes(value: unknown, problems: string[]): Map<string, string> {
  const notes = new Map<string, string>()
  if (value !== undefined && !isObject(value)) problems.push('notes: must be a mapping of ids to texts')
  for (const [id, text] of Object.entries(isObject(value) ? value : {})) {
    if (!/^NOTE-[1-9]\d*$/.test(id)) problems.push(`${id}: the id of a note is NOTE- and a number`)
    notes.set(id, sentence(text, `${id}:`, problems))
  }
  return notes
}

/**
 * Undefined if `entry` is not a mapping. All other errors are added to `problems`, and the value gets a placeholder.
 */
function readRequirement(id: string, entry: unknown, problems: string[]): Requirement | undefined {
  const area = areaOf(id)
  if (area === undefined) problems.push(`${id}: belongs to no area of areas.ts`)
  if (!isObject(entry)) {
    problems.push(`${id}: must be a mapping with says and kind`)
    return undefined
  }
  const { says, level, kind, note, 'same-as': sameAs, ours, untestable, ...others } = entry
  problems.push(...Object.keys(others).map((key) => `${id}: has an unknown key ${key}`))
  if (!isKind(kind)) problems.push(`${id}: kind must be one of ${kinds.join(', ')}, not ${show(kind)}`)
  if (ours !== undefined && !isOurs(ours)) {
    problems.push(`${id}: ours must be one of ${ownParts.join(', ')}, not ${show(ours)}`)
  }
  if (ours !== undefined && kind === 'MUST') problems.push(`${id}: a MUST of the contract is nobody’s own`)
  if (sameAs !== undefined && untestable !== undefined) {
    problems.push(
      `${id}: has both same-as and untestable; the reason belongs to the requirement that it is the same as`,
    )
  }
  return {
    id,
    area: area ?? '',
    says: sentence(says, `${id}: says`, problems),
    levels: level === undefined ? [] : readLevels(level, `${id}: level`, problems),
    kind: isKind(kind) ? kind : 'MUST',
    notes: ids(typeof note === 'string' ? [note] : note, `${id}: note`, problems),
    sameAs: ids(sameAs, `${id}: same-as`, problems),
    ...(isOurs(ours) && { ours }),
    ...(untestable === undefined ? {} : { untestable: sentence(untestable, `${id}: untestable`, problems) }),
  }
}

function sentence(value: unknown, where: string, problems: string[]): string {
  if (typeof value === 'string' && /[.`]$/.test(value)) return value
  problems.push(`${where} must be a sentence with a full stop, not ${show(value)}`)
  return ''
}

function ids(value: unknown, where: string, problems: string[]): string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === 'string')) {
    if (new Set(value).size < value.length) problems.push(`${where} names an id twice`)
    return value
  }
  problems.push(`${where} must be a list of ids, not ${show(value)}`)
  return []
}

function readLevels(value: unknown, where: string, problems: string[]): Levels[] {
  const levels = Array.isArray(value) ? value : [value]
  const parts = levels.map((one) => (isObject(one) ? one.of : undefined))
  if (levels.length === 0) problems.push(`${where} is an empty list`)
  if (new Set(parts).size < parts.length) problems.push(`${where} gives the same part twice`)
  for (const one of levels) problems.push(...levelProblems(one).map((problem) => `${where} ${problem}`))
  return levels as Levels[]
}

function levelProblems(value: unknown): string[] {
  if (!isObject(value)) return [`must be { from: … }, { until: … } or a list of these, not ${show(value)}`]
  const { of, from, until, ...others } = value
  const problems = Object.keys(others).map((key) => `has an unknown key ${key}`)
  if (of !== undefined && (typeof of !== 'string' || of === '')) problems.push(`of must be text, not ${show(of)}`)
  if (from === undefined && until === undefined) problems.push('has neither from nor until')
  for (const [key, level] of Object.entries({ from, until })) {
    if (level !== undefined && !isFeatureLevel(level)) {
      problems.push(`${key} must be a feature level, a whole number from 1 on, not ${show(level)}`)
    }
  }
  if (isFeatureLevel(from) && isFeatureLevel(until) && from > until) problems.push(`begins after it ends`)
  return problems
}

/** @param known ids of all entries, including unreadable ones */
function referenceProblems(
  all: ReadonlyMap<string, Requirement>,
  notes: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
): string[] {
  const used = new Set([...all.values()].flatMap((one) => one.notes))
  const wrong = [...all.values()].flatMap(({ id, notes: named, sameAs }) => [
    ...named.filter((note) => !notes.has(note)).map((note) => `${id}: note ${note} does not exist`),
    ...sameAs.filter((other) => !known.has(other)).map((other) => `${id}: same-as ${other} does not exist`),
    ...sameAs
      .filter((other) => (all.get(other)?.sameAs.length ?? 0) > 0)
      .map((other) => `${id}: same-as ${other}, which has no check of its own: name what ${other} is the same as`),
  ])
  return [...wrong, ...[...notes.keys()].filter((note) => !used.has(note)).map((note) => `${note}: nobody names it`)]
}

function repeatedSentences(all: ReadonlyMap<string, Requirement>): string[] {
  const first = new Map<string, string>()
  return [...all.values()].flatMap(({ id, says }) => {
    const other = first.get(says)
    if (other === undefined) first.set(says, id)
    return other === undefined || says === '' ? [] : [`${id}: says the same as ${other}, word for word`]
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isKind(value: unknown): value is Kind {
  return kinds.some((kind) => kind === value)
}

function isOurs(value: unknown): value is Ours {
  return ownParts.some((part) => part === value)
}

function isFeatureLevel(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
