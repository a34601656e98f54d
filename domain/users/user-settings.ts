import type { Schemas } from '../../generated/operations.ts'
import { OWN_SETTINGS, USER_SETTINGS } from '../../generated/settings.ts'
import { BadRequestError } from '../errors.ts'
import { isLanguage } from '../languages.ts'

/** All settings of a user; meanings and defaults are in openapi/settings/user.yaml. */
export type UserSettings = Schemas['UserSettingsDefaults'] & Schemas['OwnSettings']
export type UserSettingName = keyof UserSettings
/** Settings whose values for new accounts an organization can choose. */
export type UserSettingsDefaults = Schemas['UserSettingsDefaults']

const DEFAULTS: UserSettings = USER_SETTINGS

/** Parameters of PATCH /settings, fields of `user_settings` in POST /register, and keys of the stored JSON. */
export const USER_SETTING_NAMES = Object.keys(DEFAULTS) as readonly UserSettingName[]

/** Returns the effective settings: stored ones, and defaults for all others. */
export function userSettings(stored: Partial<UserSettings>): UserSettings {
  return { ...DEFAULTS, ...stored }
}

/**
 * Settings whose values for new accounts an organization can choose: parameters of PATCH /realm/user_settings_defaults.
 */
export const NEW_ACCOUNT_SETTING_NAMES = USER_SETTING_NAMES.filter(
  (name): name is keyof UserSettingsDefaults => !(OWN_SETTINGS as readonly string[]).includes(name),
)

/**
 * Returns the settings of new accounts (realm_user_settings_defaults of POST /register): stored ones, and defaults for
 * all others.
 */
export function userSettingsDefaults(stored: Partial<UserSettingsDefaults>): UserSettingsDefaults {
  const all = userSettings(stored)
  return Object.fromEntries(
    NEW_ACCOUNT_SETTING_NAMES.map((name) => [name, all[name]]),
  ) as unknown as UserSettingsDefaults
}

/** Choices that a client can offer for settings. */
export const USER_SETTING_CHOICES = {
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'twitter', text: 'Twitter' },
    { key: 'text', text: 'Plain text' },
  ],
  available_notification_sounds: ['ding', 'zulip'],
} as const

const MAX_BATCHING_SECONDS = 604_800

/** Refuses values that the schema of the contract admits but the setting does not (PATCH /settings). */
export function checkUserSettings(settings: Partial<UserSettings>): Partial<UserSettings> {
  const {
    default_language: language,
    notification_sound: sound,
    timezone,
    email_notifications_batching_period_seconds: batching,
  } = settings
  if (language !== undefined && !isLanguage(language)) throw new BadRequestError('Invalid default_language')
  if (sound !== undefined && sound !== 'none' && !isOffered(sound))
    throw new BadRequestError(`Invalid notification sound '${sound}'`)
  if (timezone !== undefined && !isTimeZone(timezone))
    throw new BadRequestError('timezone is not a recognized time zone')
  if (batching !== undefined && (batching < 1 || batching > MAX_BATCHING_SECONDS)) {
    throw new BadRequestError(`Invalid email batching period: ${batching} seconds`)
  }
  return settings
}

function isOffered(sound: string): boolean {
  return USER_SETTING_CHOICES.available_notification_sounds.some((one) => one === sound)
}

/**
 * IANA name, or empty for none. Intl also accepts offsets and any case, but clients look names up in the registry's
 * spelling: each part begins with a capital, and the rest follows the spelling of Intl, unless Intl returns another
 * name.
 */
function isTimeZone(name: string): boolean {
  if (name === '') return true
  if (!/^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/.test(name) || name.length > 40) return false
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase()
  } catch {
    return false
  }
}
