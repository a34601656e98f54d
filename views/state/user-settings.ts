import { USER_SETTING_CHOICES, userSettingsDefaults } from '../../domain/users/user-settings.ts'
import type { StatePart } from './state-request.ts'

/** Fetch types `user_settings` and `realm_user_settings_defaults`. */
export const part: StatePart = async (read, actor, { isWanted }) => ({
  ...(isWanted('user_settings') && {
    user_settings: { ...(await read.users.settingsOf(actor.id)), ...USER_SETTING_CHOICES },
  }),
  ...(isWanted('realm_user_settings_defaults') && {
    realm_user_settings_defaults: {
      ...userSettingsDefaults(await read.organizations.newAccountSettings()),
      ...USER_SETTING_CHOICES,
    },
  }),
})
