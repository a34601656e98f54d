import type { Tx } from '../../db/repositories.ts'
import { ADMINISTRATORS } from '../../domain/events/audience.ts'
import type { UserId } from '../../domain/ids.ts'
import { languageName } from '../../domain/languages.ts'
import { apiEmail, type User } from '../../domain/users/user.ts'
import {
  NEW_ACCOUNT_SETTING_NAMES,
  USER_SETTING_NAMES,
  type UserSettingName,
  type UserSettings,
  userSettingsDefaults,
} from '../../domain/users/user-settings.ts'
import { announceToSelf } from '../announce-to-self.ts'
import { hidePresence } from '../presence.ts'
import { changeEmailVisibility } from './hide-email.ts'
import { announceUser } from './user-visibility.ts'

interface Origin {
  /** The user who asked for the change. */
  readonly by: 'themselves' | 'others'
  /** Host of the organization, for stand-in addresses. */
  readonly host: string
}

/** Stores settings of a user, and tells the user, and others as far as they see the change. */
export async function storeSettings(
  tx: Tx,
  user: User,
  wanted: Partial<UserSettings>,
  { by, host }: Origin,
): Promise<void> {
  const before = await tx.users.settingsOf(user.id)
  const changed = USER_SETTING_NAMES.filter((name) => wanted[name] !== undefined && wanted[name] !== before[name])
  if (changed.length === 0) return
  const stored = changed.filter((name) => name !== 'email_address_visibility')
  if (by === 'themselves') {
    const known = await editedSettings(tx, user.id, before)
    await tx.users.setEditedSettings(user.id, [...known, ...changed])
  }
  await tx.users.updateSettings(user.id, Object.fromEntries(stored.map((name) => [name, wanted[name]])))
  // Clients drop their copies when the event of the setting arrives (NOTE-18).
  if (changed.includes('enable_drafts_synchronization') && !wanted.enable_drafts_synchronization)
    await tx.drafts.clear(user.id)
  if (changed.includes('presence_enabled') && !wanted.presence_enabled) await hidePresence(tx, user)
  for (const property of changed) {
    const value = wanted[property]
    if (value === undefined) continue
    announceToSelf(tx, user.id, {
      type: 'user_settings',
      op: 'update',
      property,
      value,
      ...(property === 'default_language' && { language_name: languageName(String(value)) }),
    })
    if (property === 'allow_private_data_export') {
      const consent = { user_id: user.id, consented: value === true }
      tx.events.append({ type: 'realm_export_consent', ...consent }, ADMINISTRATORS)
    }
    if (property !== 'timezone') continue
    const person = { user_id: user.id, email: apiEmail(user), timezone: String(value) }
    await announceUser(tx, user, { type: 'realm_user', op: 'update', person })
  }
  const { email_address_visibility: visibility } = wanted
  if (visibility !== undefined && visibility !== user.emailVisibility) {
    await changeEmailVisibility(tx, user, visibility, host)
  }
}

/**
 * Returns the settings that users have changed themselves. If this is unknown for an account, returns the settings that
 * differ from the defaults for new accounts.
 */
export async function editedSettings(
  tx: Tx,
  id: UserId,
  settings: UserSettings,
): Promise<ReadonlySet<UserSettingName>> {
  const edited = await tx.users.editedSettings(id)
  if (edited) return new Set(edited)
  const defaults = userSettingsDefaults(await tx.organizations.newAccountSettings())
  return new Set(NEW_ACCOUNT_SETTING_NAMES.filter((name) => settings[name] !== defaults[name]))
}
