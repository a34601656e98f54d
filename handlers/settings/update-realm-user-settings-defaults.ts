import { changeNewAccountSettings } from '../../actions/users/change-new-account-settings.ts'
import { checkUserSettings } from '../../domain/users/user-settings.ts'
import type { Handler } from '../handler.ts'

/** PATCH /realm/user_settings_defaults (level 96). */
export const updateRealmUserSettingsDefaults: Handler<'update-realm-user-settings-defaults'> = async ({
  input,
  write,
}) => {
  const settings = checkUserSettings(input)
  await write((tx) => changeNewAccountSettings(tx, settings))
  return {}
}
