import type { Schemas } from '../../generated/operations.ts'
import { CHANGEABLE_SETTINGS, DICT_SETTINGS, IDLE_SETTINGS, ORGANIZATION_SETTINGS } from '../../generated/settings.ts'
import { type GroupSettingValue, ORGANIZATION_GROUP_SETTINGS } from '../user-groups/group-settings.ts'
import { SYSTEM_GROUP_ID } from '../user-groups/system-groups.ts'
import type { OrganizationPictures } from './pictures.ts'

/**
 * Every setting of an organization with its value, by its name on the wire without `realm_`: the parameter of PATCH
 * /realm, the `property` of realm events, and the key in the stored JSON. Meanings, units and defaults are in
 * openapi/settings/organization.yaml; defaults for features that Parley does not have (e-mail, link previews) are off.
 */
export type OrganizationSettings = {
  readonly [Name in PlainName]: Schemas['RealmState'][`realm_${Name}`]
} & { readonly [Name in keyof typeof ORGANIZATION_GROUP_SETTINGS]: GroupSettingValue }

type PlainName = keyof typeof ORGANIZATION_SETTINGS
export type OrganizationSettingName = keyof OrganizationSettings

const groupDefaults = Object.entries(ORGANIZATION_GROUP_SETTINGS).map(
  ([name, group]) => [name, SYSTEM_GROUP_ID[group.default]] as const,
)
const DEFAULTS = { ...ORGANIZATION_SETTINGS, ...Object.fromEntries(groupDefaults) } as OrganizationSettings

/** All names, in the order of the table. */
export const ORGANIZATION_SETTING_NAMES = Object.keys(DEFAULTS) as readonly OrganizationSettingName[]

type ChangeableName = keyof typeof CHANGEABLE_SETTINGS
/** Settings that can be changed by PATCH /realm, in the order of the table. */
export const CHANGEABLE_SETTING_NAMES = Object.keys(CHANGEABLE_SETTINGS) as readonly ChangeableName[]

/** Returns the least role that may change a setting. */
export function changedBy(name: ChangeableName): 'owner' | 'administrator' {
  return CHANGEABLE_SETTINGS[name]
}

const idle: ReadonlySet<string> = new Set(IDLE_SETTINGS)
/** Whether nothing depends on the setting yet, so that changing it would have no effect. */
export function isIdle(name: OrganizationSettingName): boolean {
  return idle.has(name)
}

const inDict: ReadonlySet<string> = new Set(DICT_SETTINGS)
/** Whether `update_dict` announces changes of it. */
export function isToldInDict(name: OrganizationSettingName): boolean {
  return inDict.has(name)
}

/** Settings that name a channel; -1 means none. */
export const CHANNEL_SETTINGS = ['moderation_request_channel_id', 'new_stream_announcements_stream_id'] as const
/** Error message for a channel that is not private. */
export const MODERATION_CHANNEL_IS_PRIVATE = 'Moderation request channel must be private.'

/** Ways to log in, by name. */
export const AUTHENTICATION_METHODS = { Email: { enabled: true, available: true } }

/** Video call providers. Clients make the links, with the Jitsi server of the organization. */
export const VIDEO_CHAT_PROVIDERS = {
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
}

/** Returns the effective settings: stored ones, and defaults for all others. */
export function organizationSettings(stored: Partial<OrganizationSettings>): OrganizationSettings {
  return { ...DEFAULTS, ...stored }
}

/** The one organization of a database. */
export interface Organization {
  readonly id: number
  readonly uuid: string
  /** The short name; empty for the organization at the root of its host. */
  readonly stringId: string
  readonly name: string
  /** Markdown source. */
  readonly description: string
  /** UNIX seconds. */
  readonly createdAt: number
  readonly settings: OrganizationSettings
  readonly pictures: OrganizationPictures
  /** Whether it is deactivated, until an operator reactivates it. */
  readonly isDeactivated: boolean
}

/** The fields that PATCH /realm can change. */
export type OrganizationChanges = Partial<OrganizationSettings & Pick<Organization, 'name' | 'description'>>

export function isOrganizationField(name: string): name is keyof OrganizationChanges {
  return name === 'name' || name === 'description' || Object.hasOwn(DEFAULTS, name)
}

/** Returns the organization with these changes. */
export function changedOrganization(organization: Organization, changes: OrganizationChanges): Organization {
  const { name = organization.name, description = organization.description, ...settings } = changes
  return { ...organization, name, description, settings: { ...organization.settings, ...settings } }
}
