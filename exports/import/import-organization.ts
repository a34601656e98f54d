import {
  json,
  longText,
  matching,
  namedByGroupSetting,
  nullable,
  oneOf,
  requireRecord,
  text,
  time,
  whole,
} from '../../db/archive/columns.ts'
import { PICTURE_KINDS } from '../../domain/organization/pictures.ts'
import { isOrganizationGroupSetting } from '../../domain/user-groups/group-settings.ts'
import { namesChannel, ORGANIZATION_SETTINGS } from '../organization.ts'
import { ArchiveError, shown } from './archive-error.ts'
import { type ImportContext, type Row, readAt } from './import-context.ts'
import type { CheckSettings } from './import-people.ts'
import type { Line } from './unpack.ts'

const ORGANIZATION = {
  uuid: matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 36),
  string_id: text(40),
  name: text(40),
  description: longText,
  date_created: time,
  pictures: json(checkPictures),
}

const KIND = oneOf(...PICTURE_KINDS)
const PICTURE_KEY = nullable(matching(/^[0-9a-f]{32}$/, 32))
const PICTURE_VERSION = whole(1)

/** @throws {UnfitValueError} */
function checkPictures(value: unknown): void {
  for (const [kind, picture] of Object.entries(requireRecord(value))) {
    KIND.toStored(kind)
    const { key, version } = requireRecord(picture)
    PICTURE_KEY.toStored(key)
    PICTURE_VERSION.toStored(version)
  }
}

export type SettingChecks = Readonly<Record<'organization' | 'newAccounts' | 'people', CheckSettings>>

/** The row of the organization, stored at the end of the import. @throws {ArchiveError} */
export function organizationRow(context: ImportContext, { value, place }: Line, checks: SettingChecks): Row {
  // Archives from before organizations had pictures lack them.
  const { settings, new_account_settings: forNewAccounts, pictures = {}, ...own } = value
  const { date_created: created_at = null, ...row } = context.row({ value: { ...own, pictures }, place }, ORGANIZATION)
  const problems = [checks.organization(settings), checks.newAccounts(forNewAccounts)]
  for (const problem of problems) if (problem !== undefined) throw new ArchiveError(`${place}: settings ${problem}`)
  for (const [setting, to] of Object.entries(settings as object)) {
    const where = `${place}: ${shown(setting)}`
    if (!(ORGANIZATION_SETTINGS as string[]).includes(setting)) throw new ArchiveError(`${where} is not known`)
    if (isOrganizationGroupSetting(setting)) {
      context.requireNamed(
        readAt(where, () => namedByGroupSetting(to)),
        where,
      )
    } else if (namesChannel(setting, to)) context.requireNamed([['channel', Number(to)]], where)
  }
  return {
    ...row,
    id: 1,
    created_at,
    settings: JSON.stringify(settings),
    new_account_settings: JSON.stringify(forNewAccounts),
  }
}
