import { FLAG, type StoredFlag } from '../../domain/messages/flags.ts'
import { isLongerThan } from '../../domain/text/code-points.ts'
import type { GroupSettingValue } from '../../domain/user-groups/group-settings.ts'
import type { SqlValue } from '../session.ts'

/** The kinds of things that IDs in archives refer to. */
export type Noun = 'user' | 'group' | 'channel' | 'folder' | 'channel set' | 'message' | 'file'

/** A reference in a value. */
export type Named = readonly [noun: Noun, id: number]

/**
 * Thrown for a value that an archive cannot contain. The message, such as `is no number`, follows the name of the
 * value.
 */
export class UnfitValueError extends Error {
  override readonly name = 'UnfitValueError'
}

/** The form of a column in an archive. */
export interface Column {
  toArchive(stored: unknown): unknown
  /** @throws {UnfitValueError} */
  toStored(value: unknown): SqlValue
  /** References in the value, all of which must be in the archive. @throws {UnfitValueError} */
  named?(value: unknown): readonly Named[]
  /** Returns the value without unknown references; undefined if nothing is left, and the row is dropped. */
  known?(value: unknown, isKnown: IsKnown): unknown
}

export type IsKnown = (named: Named) => boolean

const LARGEST_INTEGER = 4_294_967_295
/** Limit of a mediumtext column. */
const LONGEST_TEXT_BYTES = 16 * 1024 * 1024 - 1

function refuse(says: string): never {
  throw new UnfitValueError(says)
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Column {
  return {
    toArchive: Number,
    toStored(value) {
      if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most) return value as number
      return refuse(`is no whole number from ${least} to ${most}`)
    },
  }
}

/** ID of the row itself. */
export const ownId = whole(1, LARGEST_INTEGER)
/** UNIX seconds. */
export const time = whole(0)
export const messageNumber = whole(0)

export const yesOrNo: Column = {
  toArchive: (stored) => Number(stored) === 1,
  toStored: (value) => (typeof value === 'boolean' ? Number(value) : refuse('is neither true nor false')),
}

export function oneOf(...choices: readonly (string | number)[]): Column {
  return {
    toArchive: (stored) => stored,
    toStored: (value) =>
      choices.includes(value as string) ? (value as string) : refuse(`is none of ${choices.join(', ')}`),
  }
}

/** A short text of this form. */
export function matching(form: RegExp, most: number): Column {
  const { toArchive, toStored } = text(most)
  return {
    toArchive,
    toStored: (value) => (form.test(String(value)) ? toStored(value) : refuse(`is not like ${form.source}`)),
  }
}

/** @param most characters; absent for the length of a long text */
export function text(most?: number): Column {
  return {
    toArchive: (stored) => stored,
    toStored(value) {
      if (typeof value !== 'string') return refuse('is no text')
      if (!value.isWellFormed()) return refuse('has half a character')
      if (most !== undefined && isLongerThan(value, most)) return refuse(`has more than ${most} characters`)
      if (most === undefined && Buffer.byteLength(value) > LONGEST_TEXT_BYTES) return refuse('is too long')
      return value
    },
  }
}

export const longText = text()

/** The same column, but it also admits null. */
export function nullable(column: Column): Column {
  const { named, known } = column
  return {
    toArchive: (stored) => (stored === null ? null : column.toArchive(stored)),
    toStored: (value) => (value === null ? null : column.toStored(value)),
    ...(named && { named: (value: unknown) => (value === null ? [] : named(value)) }),
    ...(known && { known: (value: unknown, isKnown: IsKnown) => (value === null ? null : known(value, isKnown)) }),
  }
}

/** Admits null, which also stands for an unknown reference. */
export function orNull(column: Column): Column {
  const { known, ...rest } = nullable(column)
  return { ...rest, ...(known && { known: (value: unknown, isKnown: IsKnown) => known(value, isKnown) ?? null }) }
}

/** ID of something else. */
export function idOf(noun: Noun): Column {
  const id = noun === 'message' ? whole(1) : ownId
  return {
    ...id,
    named: (value) => [[noun, value as number]],
    known: (value, isKnown) => (isKnown([noun, value as number]) ? value : undefined),
  }
}

/** JSON in a column. @param check throws {UnfitValueError} */
export function json(check: (value: unknown) => void): Column {
  return {
    toArchive: (stored) => JSON.parse(stored as string) as unknown,
    toStored(value) {
      check(value)
      return longText.toStored(JSON.stringify(value))
    },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws {UnfitValueError} */
export function requireRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : refuse('is no object')
}

const ids = (value: unknown, says: string): readonly number[] =>
  Array.isArray(value) && value.every((id) => Number.isSafeInteger(id) && id > 0) ? (value as number[]) : refuse(says)

/** A list of IDs whose meaning depends on something else, or which may refer to deleted things. */
export const looseIds = json((value) => ids(value, 'is no list of ids'))

/** Returns the users and groups that a group setting names. @throws {UnfitValueError} */
export function namedByGroupSetting(value: unknown): readonly Named[] {
  if (typeof value === 'number') {
    ownId.toStored(value)
    return [['group', value]]
  }
  const { direct_members, direct_subgroups, ...others } = requireRecord(value)
  if (Object.keys(others).length > 0) return refuse('is no group')
  return [
    ...ids(direct_members, 'names no people').map((id) => ['user', id] as const),
    ...ids(direct_subgroups, 'names no groups').map((id) => ['group', id] as const),
  ]
}

/** Returns the setting without unknown users and groups: for nobody, if it is an unknown group. */
export function knownOfGroupSetting(value: GroupSettingValue, isKnown: IsKnown): GroupSettingValue {
  if (typeof value === 'number') return isKnown(['group', value]) ? value : { direct_members: [], direct_subgroups: [] }
  return {
    direct_members: value.direct_members.filter((id) => isKnown(['user', id])),
    direct_subgroups: value.direct_subgroups.filter((id) => isKnown(['group', id])),
  }
}

/** Group settings by name; unknown names are dropped. */
export function groupSettings(names: readonly string[]): Column {
  const named = (value: unknown) =>
    Object.entries(requireRecord(value)).flatMap(([name, group]) =>
      names.includes(name) ? namedByGroupSetting(group) : refuse(`has ${name}, which is no setting`),
    )
  return {
    ...json((value) => void named(value)),
    named,
    known(value, isKnown) {
      const settings = Object.entries(value as Record<string, GroupSettingValue>)
      return Object.fromEntries(settings.map(([name, group]) => [name, knownOfGroupSetting(group, isKnown)]))
    },
  }
}

/** Flags of messages by name. */
export const flags: Column = {
  toArchive: (stored) => FLAG_NAMES.filter((name) => (Number(stored) & FLAG[name]) !== 0),
  toStored(value) {
    if (!Array.isArray(value)) return refuse('is no list of flags')
    return value.reduce<number>((bits, name) => {
      const bit = Object.hasOwn(FLAG, String(name)) ? FLAG[name as StoredFlag] : refuse(`has ${name}, which is no flag`)
      return bits | bit
    }, 0)
  },
}
const FLAG_NAMES = Object.keys(FLAG) as StoredFlag[]

/** @param most bytes */
export function base64(most: number): Column {
  return {
    toArchive: (stored) => Buffer.from(stored as Uint8Array).toString('base64'),
    toStored(value) {
      if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) return refuse('is no Base64')
      const bytes = Buffer.from(value, 'base64')
      return bytes.length <= most ? bytes : refuse(`has more than ${most} bytes`)
    },
  }
}
