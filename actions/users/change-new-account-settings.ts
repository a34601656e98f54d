import type { Tx } from '../../db/repositories.ts'
import {
  NEW_ACCOUNT_SETTING_NAMES,
  type UserSettingsDefaults,
  userSettingsDefaults,
} from '../../domain/users/user-settings.ts'

/** Changes the settings that new accounts start with, and announces them. Existing accounts keep theirs (NOTE-18). */
export async function changeNewAccountSettings(tx: Tx, wanted: Partial<UserSettingsDefaults>): Promise<void> {
  const before = userSettingsDefaults(await tx.organizations.newAccountSettings())
  const changed = NEW_ACCOUNT_SETTING_NAMES.filter(
    (name) => wanted[name] !== undefined && wanted[name] !== before[name],
  )
  if (changed.length === 0) return
  await tx.organizations.updateNewAccountSettings(Object.fromEntries(changed.map((name) => [name, wanted[name]])))
  for (const property of changed) {
    const value = wanted[property]
    if (value === undefined) continue
    tx.events.append({ type: 'realm_user_settings_defaults', op: 'update', property, value }, { to: 'everyone' })
  }
}
