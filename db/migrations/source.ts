import type { Knex } from 'knex'
import * as first from './0001-first.ts'
import * as everydayChat from './0002-everyday-chat.ts'
import * as atTheStart from './0003-at-the-start.ts'
import * as channelActivity from './0004-channel-activity.ts'
import * as logBytes from './0005-log-bytes.ts'
import * as channelStatistics from './0006-channel-statistics.ts'
import * as jobLeases from './0007-job-leases.ts'
import * as emailDomains from './0009-email-domains.ts'
import * as moves from './0010-moves.ts'
import * as people from './0017-people.ts'
import * as newAccountSettings from './0018-new-account-settings.ts'
import * as changesOfAddresses from './0019-changes-of-addresses.ts'
import * as deliveries from './0020-deliveries.ts'
import * as pictures from './0021-pictures.ts'
import * as hiddenAddresses from './0024-hidden-addresses.ts'
import * as profileData from './0025-profile-data.ts'
import * as push from './0027-push.ts'
import * as dataExports from './0028-data-exports.ts'
import * as accounts from './0030-accounts.ts'
import * as avatars from './0035-avatars.ts'
import * as importedAccounts from './0037-imported-accounts.ts'
import * as seenNotices from './0039-seen-notices.ts'
import * as pushedMessages from './0040-pushed-messages.ts'
import * as organizationPictures from './0041-organization-pictures.ts'
import * as organizationDeactivated from './0042-organization-deactivated.ts'
import * as images from './0046-images.ts'
import * as unusedFiles from './0047-unused-files.ts'
import * as editedSettings from './0048-edited-settings.ts'
import * as botsBelowOwners from './0049-bots-below-owners.ts'

interface Migration {
  readonly name: string
  up(knex: Knex): Promise<void>
}

/** In order. Names have no extension, or Knex in `dist/` would refuse a database that was made from the sources. */
const MIGRATIONS: readonly Migration[] = [
  { name: '0001-first', up: first.up },
  { name: '0002-everyday-chat', up: everydayChat.up },
  { name: '0003-at-the-start', up: atTheStart.up },
  { name: '0004-channel-activity', up: channelActivity.up },
  { name: '0005-log-bytes', up: logBytes.up },
  { name: '0006-channel-statistics', up: channelStatistics.up },
  { name: '0007-job-leases', up: jobLeases.up },
  { name: '0009-email-domains', up: emailDomains.up },
  { name: '0010-moves', up: moves.up },
  { name: '0017-people', up: people.up },
  { name: '0018-new-account-settings', up: newAccountSettings.up },
  { name: '0019-changes-of-addresses', up: changesOfAddresses.up },
  { name: '0020-deliveries', up: deliveries.up },
  { name: '0021-pictures', up: pictures.up },
  { name: '0024-hidden-addresses', up: hiddenAddresses.up },
  { name: '0025-profile-data', up: profileData.up },
  { name: '0027-push', up: push.up },
  { name: '0028-data-exports', up: dataExports.up },
  { name: '0030-accounts', up: accounts.up },
  { name: '0035-avatars', up: avatars.up },
  { name: '0037-imported-accounts', up: importedAccounts.up },
  { name: '0039-seen-notices', up: seenNotices.up },
  { name: '0040-pushed-messages', up: pushedMessages.up },
  { name: '0041-organization-pictures', up: organizationPictures.up },
  { name: '0042-organization-deactivated', up: organizationDeactivated.up },
  { name: '0046-images', up: images.up },
  { name: '0047-unused-files', up: unusedFiles.up },
  { name: '0048-edited-settings', up: editedSettings.up },
  { name: '0049-bots-below-owners', up: botsBelowOwners.up },
]

export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name)
/** Identifies the release of a backup. */
export const NEWEST_MIGRATION = '0049-bots-below-owners'

export const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: () => Promise.resolve([...MIGRATIONS]),
  getMigrationName: (migration) => migration.name,
  getMigration: (migration) =>
    Promise.resolve({
      up: migration.up,
      down: () => Promise.reject(new Error(`migration ${migration.name} has no way back`)),
    }),
}
