import { knownOfGroupSetting } from '../db/archive/columns.ts'
import type { Readers } from '../db/repositories.ts'
import { type OrganizationSettings, organizationSettings } from '../domain/organization/organization-settings.ts'
import { type GroupSettingValue, isOrganizationGroupSetting } from '../domain/user-groups/group-settings.ts'
import type { KnownThings } from './known-things.ts'

/** Settings whose value is a channel id; -1 means none. */
const NAMES_CHANNEL = /_(channel|stream)_id$/
const NO_CHANNEL = -1

/** Returns the record of the organization. Its settings refer only to items in the archive. */
export async function exportedOrganization(read: Readers, known: KnownThings): Promise<object> {
  const organization = await read.organizations.find()
  if (!organization) throw new Error('there is no organization')
  const { uuid, stringId, name, description, createdAt, settings } = organization
  return {
    uuid,
    string_id: stringId,
    name,
    description,
    date_created: createdAt,
    pictures: await read.organizations.pictures(),
    settings: Object.fromEntries(
      Object.entries(settings).map(([setting, value]) => [setting, withoutUnknown(setting, value, known)]),
    ),
    new_account_settings: await read.organizations.newAccountSettings(),
  }
}

function withoutUnknown(setting: string, value: unknown, known: KnownThings): unknown {
  if (isOrganizationGroupSetting(setting)) {
    return knownOfGroupSetting(value as GroupSettingValue, (named) => known.has(named))
  }
  return namesChannel(setting, value) && !known.has(['channel', value as number]) ? NO_CHANNEL : value
}

/** Whether the value of the setting is the id of a channel. */
export function namesChannel(setting: string, value: unknown): boolean {
  return NAMES_CHANNEL.test(setting) && value !== NO_CHANNEL
}

/** All settings of an organization. */
export const ORGANIZATION_SETTINGS = Object.keys(organizationSettings({})) as (keyof OrganizationSettings)[]
