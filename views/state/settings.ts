import { toWireMutedUser } from '../../domain/users/muted-user.ts'
import { USER_SETTING_CHOICES, userSettingsDefaults } from '../../domain/users/user-settings.ts'
import type { StatePart } from './state-request.ts'

/** What people set for themselves: fetch types `user_settings`, `realm_user_settings_defaults`, `alert_words`, `muted_users`. */
export const settingsPart: StatePart = async (read, actor, { isWanted }) => ({
  ...(isWanted('user_settings') && {
    user_settings: { ...(await read.users.settingsOf(actor.id)), ...USER_SETTING_CHOICES },
  }),
  ...(isWanted('realm_user_settings_defaults') && {
    realm_user_settings_defaults: { ...userSettingsDefaults(), ...USER_SETTING_CHOICES },
  }),
  ...(isWanted('alert_words') && { alert_words: await read.alertWords.of(actor.id) }),
  ...(isWanted('muted_users') && { muted_users: (await read.mutedUsers.of(actor.id)).map(toWireMutedUser) }),
})
