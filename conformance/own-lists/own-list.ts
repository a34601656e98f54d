import type fc from 'fast-check'
import type { Values } from '../deployment/account.ts'
import type { Scene } from '../deployment/scene.ts'
import type { Ground } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import { type Json, listOf } from '../wire/values.ts'

/** Operation ids. */
interface Operations {
  readonly all: string
  readonly make: string
  readonly change: string
  readonly remove: string
}

/** The requirements about users' own items, by what they say; the rest is CONTRACT-EFFECT. */
interface Rules {
  readonly made?: Partial<Record<Made, string>>
  readonly changed?: Partial<Record<Changed, string>>
  readonly gone?: Partial<Record<Gone, string>>
}

type Sentence = Made | Changed | Gone

type Made =
  | 'anId' // a new item has an integer id
  | 'shape' // its fields, with times that are now
  | 'shown' // it is listed, sent in events and returned at registration as it was sent
  | 'added' // an event tells of a new item

type Changed =
  | 'changes' // a right change succeeds
  | 'updated' // an event tells of a change
  | 'unchanged' // a change of nothing succeeds and changes nothing; not checked if `replaces`
  | 'bare' // a change is answered without more fields

type Gone =
  | 'removed' // an event tells which item was deleted
  | 'left' // a deleted item is no longer listed
  | 'unknown' // a missing item, or somebody else's, is refused
  | 'code' // with BAD_REQUEST; not checked if no requirement says so

/**
 * Lists of items that belong to one user: only they list, create, change and delete them, and only they get the events
 * `add`, `update` and `remove`. The suite's right requests, actions, checks and faults of such a noun are derived from
 * this.
 */
export interface OwnList<Written extends object = Values> {
  /** In answers, and as the event type: `saved_snippets`. */
  readonly list: string
  /** In events, and, followed by `_id`, in paths: `saved_snippet`. */
  readonly item: string
  readonly area: string
  /** Default: `get-<list>`, `create-<item>`, `update-<item>` and `delete-<item>`. */
  readonly operations?: Partial<Operations>
  /** The level that introduced it, and changes of it; default: all levels. */
  readonly since?: number
  readonly changedSince?: number
  /** Fields of an item, as they are sent and returned. */
  readonly given: Values
  /** The field by which a run recognizes its own items. */
  readonly mark: string
  /** Fields that the server sets to the current second if they are not sent. */
  readonly times: readonly string[]
  /** What is changed, with the requirement that says so. */
  readonly changes: readonly (readonly [requirement: string, fields: Values | ((scene: Scene) => Values)])[]
  /** Whether a change also replaces fields that it does not name. */
  readonly replaces?: true
  /**
   * Fields that are refused on creation and change, and Parley's `msg`. @param isOurs whether only Parley refuses them
   */
  readonly refused?: readonly (readonly [requirement: string, fields: Values, msg: string, isOurs?: true])[]
  /** Fields of the maximum length: an item is created with them, and changed to them. */
  readonly longest: Values
  /** The field by which Parley sorts the list; default `id`. */
  readonly order?: string
  /** Parley's `msg` for an unknown id. */
  readonly unknown: string
  readonly rules: Rules
  /** Parameters of the requests; default: the fields themselves. */
  readonly toMake?: (fields: Values) => Values
  readonly toChange?: (fields: Values) => Values
  /** Id in the answer to a creation; default `<item>_id`. */
  readonly idIn?: (body: Json) => Json
  /** What people in a world write, as data; default: one of the changes. */
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

/** All requirements about it. */
export function rulesOf({ rules }: OwnList): string[] {
  return Object.values(rules).flatMap((said) => Object.values(said))
}

/** `saved_snippet` in words. */
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

/** The items in an answer or event: a list, or a single one. */
export function rowsIn({ list, item }: OwnList, body: Json): Json[] {
  return body?.[item] === undefined ? [...listOf(body?.[list])] : [body[item]]
}
