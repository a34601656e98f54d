import { SYSTEM_GROUP_ID } from '../../domain/user-groups/system-groups.ts'
import type { FeatureLevel, Schema } from './document.ts'

/** Rules of a setting in `openapi/settings/`, besides its schema. */
interface Rules {
  /**
   * For a setting that names a group: that group's name. `channel_creator` and `group_creator` stand for the creator.
   */
  readonly default: unknown
  /** The minimum role that can change it; absent: no operation changes it yet. */
  readonly changed_by?: 'owner' | 'administrator' | 'member'
  /** False if nothing depends on the setting yet: values other than the current one are refused. */
  readonly obeyed?: boolean
  /** The event that reports a change, if not `update`; settings that name a group always use this. */
  readonly event?: 'update_dict'
  /** For settings that name a group: whether `nobody` can be chosen; default true. */
  readonly nobody?: boolean
  /** Whether everyone, including guests, can be chosen. */
  readonly everyone?: boolean
  /** Only these system groups can be chosen. */
  readonly system_groups?: readonly string[]
  /** The value for which requests may have the word `unlimited`, if that is not null. */
  readonly unlimited?: number
  /** Replaces `default` for system groups. */
  readonly of_system_groups?: string
  /** The feature level since which requests have it, if that differs from the field's. */
  readonly parameter_from?: number
}

export type Setting = Schema & { readonly 'x-setting': Rules }
export type Settings = Readonly<Record<string, Setting>>

/** `{ of, as, prefix }`: which settings are properties of a schema, and how. */
export interface UseOfSettings {
  readonly of: string
  /**
   * `fields`: all settings, always present. `changes`: the contents of an `update_dict` event, for settings that can
   * change. `answers`: the answer of the operation that changes them, without unchanged texts. `form`: as parameters.
   * `updates`: as parameters, only those that somebody may change; settings that name a group take a new value and the
   * expected old one.
   */
  readonly as: 'fields' | 'changes' | 'answers' | 'form' | 'updates'
  /** Put before each name. */
  readonly prefix?: string
}

const GROUP = /group-setting\.yaml#\/GroupSettingValue$/

export function isGroupSetting(setting: Setting): boolean {
  return GROUP.test(setting.$ref ?? '')
}

/** The settings as properties of a schema. References are not resolved yet in its file. */
export function propertiesOf(settings: Settings, { as, prefix = '' }: UseOfSettings): Record<string, Schema> {
  const { isWanted, asProperty } = USES[as]
  const wanted = Object.entries(settings).filter(([, setting]) => isWanted(setting))
  return Object.fromEntries(wanted.map(([name, setting]) => [prefix + name, asProperty(setting)]))
}

const isAny = (): boolean => true
const canChange = ({ 'x-setting': rules }: Setting): boolean => rules.changed_by !== undefined && rules.obeyed !== false
const isInDict = (setting: Setting): boolean => isGroupSetting(setting) || setting['x-setting'].event === 'update_dict'

/** For each use: which settings, and in which form. */
const USES = {
  fields: { isWanted: isAny, asProperty: asField },
  changes: { isWanted: (setting: Setting) => canChange(setting) && isInDict(setting), asProperty: asField },
  answers: { isWanted: canChange, asProperty: asAnswer },
  form: { isWanted: isAny, asProperty: asParameter },
  updates: {
    isWanted: ({ 'x-setting': rules }: Setting) => rules.changed_by !== undefined,
    asProperty: asUpdate,
  },
} as const

function asField({ 'x-setting': _, ...schema }: Setting): Schema {
  return schema
}

/** Deployed servers do not repeat a text in the answer. */
function asAnswer({ 'x-setting': _, ...schema }: Setting): Schema {
  if (![schema.type].flat().includes('string')) return schema
  const { description = '', 'x-feature-level': level } = schema
  return {
    ...(Array.isArray(schema.type) ? { type: schema.type } : { type: 'string', const: 'updated' }),
    description,
    ...(level && { 'x-feature-level': level }),
  }
}

/** Everything but plain values is sent as JSON (docs/decisions, "JSON in forms is text"). */
function asParameter(setting: Setting): Schema {
  const { 'x-setting': rules, ...schema } = setting
  const { parameter_from: from } = rules
  const level: { 'x-feature-level'?: FeatureLevel } = from === undefined ? {} : { 'x-feature-level': { from } }
  if (isGroupSetting(setting)) {
    return {
      ...schema,
      $ref: String(schema.$ref).replace(GROUP, 'group-setting.yaml#/GroupSettingParameter'),
      ...level,
    }
  }
  if (!Array.isArray(schema.type)) return { ...schema, ...level }
  const { description = '', examples = [], 'x-feature-level': own, ...contentSchema } = schema
  return {
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema,
    description,
    examples: examples.map((example) => JSON.stringify(example)),
    ...(own && { 'x-feature-level': own }),
    ...level,
  }
}

/** Deployed clients send a word where answers and events have null or -1. */
function orUnlimited(parameter: Schema, unlimited: number | undefined): Schema {
  const { description, examples = [], contentSchema, ...own } = parameter
  const { type, ...bounds } = contentSchema ?? own
  const types = [type].flat()
  if (!types.includes('integer') || (unlimited === undefined && !types.includes('null'))) return parameter
  return {
    ...(contentSchema ? own : {}),
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: {
      type: ['integer', 'string', ...(contentSchema ? (['null'] as const) : [])],
      ...bounds,
      pattern: '^unlimited$',
    },
    description: `${description} The word \`unlimited\` means ${unlimited ?? 'null'}.`,
    examples: examples.map(String),
  }
}

function asUpdate(setting: Setting): Schema {
  const { changed_by: role, everyone = false, obeyed, unlimited } = setting['x-setting']
  const { description = '', ...shown } = orUnlimited(asParameter(setting), unlimited)
  const parameter: Schema = { ...shown, ...(obeyed === false && { 'x-refused': 'by-handler' }) }
  const withoutGuests = isGroupSetting(setting) && !everyone
  const told = [
    description,
    ...(role === 'owner' ? ['Only owners change it.'] : []),
    ...(withoutGuests ? ['Guests and people without an account cannot be included.'] : []),
  ].join(' ')
  if (!isGroupSetting(setting)) return { ...parameter, description: told }
  const { $ref = '', ...rest } = parameter
  return {
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: { $ref: $ref.replace('GroupSettingParameter', 'GroupSettingUpdate') },
    ...rest,
    description: told,
    examples: ['{"new":13,"old":11}'],
  }
}

/**
 * The default of each setting, under its field's name, for examples of answers; without defaults that name a creator.
 */
export function defaultsOf(settings: Settings, { prefix = '' }: UseOfSettings): Record<string, unknown> {
  const ids: Readonly<Record<string, unknown>> = SYSTEM_GROUP_ID
  const entries = Object.entries(settings).flatMap(([name, setting]) => {
    const { default: value } = setting['x-setting']
    const shown = isGroupSetting(setting) ? ids[String(value)] : value
    return shown === undefined ? [] : [[prefix + name, shown]]
  })
  return Object.fromEntries(entries)
}

/** Tables of `openapi/settings/`, by file name and key: `organization.settings`. */
export type SettingTables = Readonly<Record<string, Settings>>

/**
 * The content of `generated/settings.ts`: the parts of the settings that the program needs at run time. Types of values
 * come from the schemas.
 *
 * @throws {Error} that names a setting without a default
 */
export function settingsModule(tables: SettingTables): string {
  for (const [table, settings] of Object.entries(tables)) {
    for (const [name, setting] of Object.entries(settings)) {
      if (setting['x-setting']?.default === undefined) throw new Error(`settings, ${table}: ${name} has no default`)
    }
  }
  const of = (table: string): Settings => tables[table] ?? {}
  const organization = of('organization.settings')
  const parts: readonly (readonly [name: string, says: string, value: unknown])[] = [
    [
      'USER_SETTINGS',
      'Of people, with defaults for new accounts.',
      plain({ ...of('user.of_new_accounts'), ...of('user.own') }),
    ],
    ['OWN_SETTINGS', 'Of them, those that are nobody else’s business.', Object.keys(of('user.own'))],
    ['ORGANIZATION_SETTINGS', 'Of the organization, without those that name a group.', plain(organization)],
    ['ORGANIZATION_GROUP_SETTINGS', 'Of the organization: who may do what.', groups(organization)],
    ['CHANGEABLE_SETTINGS', 'Of the organization, by the least role that changes them.', changeable(organization)],
    ['IDLE_SETTINGS', 'Of the organization, those that nothing depends on yet.', idle(organization)],
    ['DICT_SETTINGS', 'Of the organization, those of which `update_dict` tells.', inDict(organization)],
    ['CHANNEL_GROUP_SETTINGS', 'Of a channel: who may do what.', groups(of('channel.settings'))],
    ['USER_GROUP_GROUP_SETTINGS', 'Of a user group: who may do what with it.', groups(of('user-group.settings'))],
  ]
  const texts = parts.map(
    ([name, says, value]) => `\n/** ${says} */\nexport const ${name} = ${JSON.stringify(value)} as const\n`,
  )
  return `// Made by scripts/generate.ts from openapi/settings/. Do not edit.\n${texts.join('')}`
}

function plain(settings: Settings): Record<string, unknown> {
  return mapped(settings, (setting) => (isGroupSetting(setting) ? undefined : setting['x-setting'].default))
}

function groups(settings: Settings): Record<string, unknown> {
  return mapped(settings, (setting) => {
    if (!isGroupSetting(setting)) return undefined
    const { default: name, nobody = true, everyone = false, system_groups, of_system_groups } = setting['x-setting']
    return {
      default: name,
      allowsNobody: nobody,
      allowsEveryone: everyone,
      ...(system_groups && { requiresSystemGroup: true, allowedSystemGroups: system_groups }),
      ...(of_system_groups !== undefined && { defaultForSystemGroups: of_system_groups }),
    }
  })
}

function changeable(settings: Settings): Record<string, unknown> {
  return mapped(settings, (setting) => setting['x-setting'].changed_by)
}

function idle(settings: Settings): string[] {
  return Object.keys(settings).filter((name) => settings[name]?.['x-setting'].obeyed === false)
}

function inDict(settings: Settings): string[] {
  return Object.entries(settings).flatMap(([name, setting]) => (isInDict(setting) ? [name] : []))
}

/** Maps the settings, and leaves out those for which the result is undefined. */
function mapped(settings: Settings, of: (setting: Setting) => unknown): Record<string, unknown> {
  const entries = Object.entries(settings).map(([name, setting]) => [name, of(setting)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
