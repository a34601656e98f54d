import type fc from 'fast-check'
import type { Values } from '../deployment/account.ts'
import type { Scene } from '../deployment/scene.ts'
import type { Ground } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import { type Json, listOf } from '../wire/values.ts'

/** Ids of operations. */
interface Operations {
  readonly all: string
  readonly make: string
  readonly change: string
  readonly remove: string
}

/** Requirements that say these sentences about own rows, by what happens to one; what none of them says is CONTRACT-EFFECT. */
interface Rules {
  readonly made?: Partial<Record<Made, string>>
  readonly changed?: Partial<Record<Changed, string>>
  readonly gone?: Partial<Record<Gone, string>>
}

type Sentence = Made | Changed | Gone

type Made =
  | 'anId' // a new one has an integer as its ID
  | 'shape' // its fields, and times that are now
  | 'shown' // it is listed, told and registered as it was sent
  | 'added' // an event tells of a new one

type Changed =
  | 'changes' // a right change succeeds
  | 'updated' // an event tells of a change
  | 'unchanged' // a change of nothing succeeds and changes nothing; not asked of what `replaces`
  | 'bare' // a change is answered with nothing more

type Gone =
  | 'removed' // an event tells which one went
  | 'left' // what is deleted is no longer listed
  | 'unknown' // what is not there, or somebody else's, is refused
  | 'code' // with BAD_REQUEST; not asked where no requirement says so

/**
 * Rows that people keep for themselves: listed, made, changed and deleted by whoever has them, with events `add`, `update`
 * and `remove` to their owner alone. The suite's right requests, actions, checks and faults of such a noun follow from
 * this; a file here that exports `ownList` is found.
 */
export interface OwnList<Written extends object = Values> {
  /** In answers, and as the type of events: `saved_snippets`. */
  readonly list: string
  /** In events, and, followed by `_id`, in paths: `saved_snippet`. */
  readonly item: string
  readonly area: string
  /** Default `get-<list>`, `create-<item>`, `update-<item>` and `delete-<item>`. */
  readonly operations?: Partial<Operations>
  /** Levels that have it, and changes of it; default all. */
  readonly since?: number
  readonly changedSince?: number
  /** Fields of one, as they are sent and come back. */
  readonly given: Values
  /** The one of them by which a run knows what it has made. */
  readonly mark: string
  /** Fields that the server fills with the present second where they are not sent. */
  readonly times: readonly string[]
  /** What is changed, and of which requirement that is. */
  readonly changes: readonly (readonly [requirement: string, fields: Values | ((scene: Scene) => Values)])[]
  /** Whether a change replaces what it does not name, too. */
  readonly replaces?: true
  /** Fields that are refused, by whatever makes and changes, and `msg` of Parley. @param isOurs whether of Parley alone */
  readonly refused?: readonly (readonly [requirement: string, fields: Values, msg: string, isOurs?: true])[]
  /** Fields as long as they may be: one is made with them, and changed to them. */
  readonly longest: Values
  /** By which field Parley lists them; default `id`. */
  readonly order?: string
  /** As many as an account keeps, and fields with which so many take all its room: for the measurement of worst calls. */
  readonly worst?: { readonly most: number; readonly fields: Values }
  /** `msg` where there is none with an ID: Parley's own. */
  readonly unknown: string
  readonly rules: Rules
  /** Parameters of the requests; default the fields themselves. */
  readonly toMake?: (fields: Values) => Values
  readonly toChange?: (fields: Values) => Values
  /** Of the answer to what makes one; default `<item>_id`. */
  readonly idIn?: (body: Json) => Json
  /** What people in a world write, as data; default one of the changes. */
  readonly any?: (ground: Ground) => { readonly [Key in keyof Written]: fc.Arbitrary<Written[Key]> }
  readonly fields?: (world: World, written: Partial<Written>) => Values
}

export function operationsOf({ list, item, operations }: OwnList): Operations {
  const [lists, items] = [list, item].map((name) => name.replaceAll('_', '-'))
  return {
    ...{ all: `get-${lists}`, make: `create-${items}`, change: `update-${items}`, remove: `delete-${items}` },
    ...operations,
  }
}

export function ruleOf({ rules }: OwnList, sentence: Sentence): string {
  const said: Partial<Record<Sentence, string>> = { ...rules.made, ...rules.changed, ...rules.gone }
  return said[sentence] ?? 'CONTRACT-EFFECT'
}

/** All requirements of its sentences. */
export function rulesOf({ rules }: OwnList): string[] {
  return Object.values(rules).flatMap((said) => Object.values(said))
}

/** `saved_snippet` as people say it. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ')
}

export function makeRequest({ toMake }: OwnList, fields: Values): Values {
  return toMake?.(fields) ?? fields
}

export function changeRequest(noun: OwnList, id: unknown, fields: Values): Values {
  const whole = noun.replaces ? { ...noun.given, ...fields } : fields
  return { [`${noun.item}_id`]: id, ...(noun.toChange?.(whole) ?? whole) }
}

export function madeId({ item, idIn }: OwnList, body: Json): Json {
  return idIn ? idIn(body) : body?.[`${item}_id`]
}

/** Those that an answer or an event has: a list of them, or a single one. */
export function rowsIn({ list, item }: OwnList, body: Json): Json[] {
  return body?.[item] === undefined ? [...listOf(body?.[list])] : [body[item]]
}
