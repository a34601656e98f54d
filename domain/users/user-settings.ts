import { accept, type Checked, refuse } from '../checked.ts'
import { isLanguage } from '../languages.ts'

/**
 * What somebody can set for themselves, by the name of the wire: the parameter of PATCH /settings, the field of
 * `user_settings` in POST /register, the `property` of user_settings events and the key in the stored JSON are one
 * spelling. Meanings are in openapi/schemas/user-settings.yaml; `choice` takes one of `values`. A row with `ofUser` is
 * a purely personal matter: it has no organization-wide default in `realm_user_settings_defaults`.
 */
export const USER_SETTINGS = {
  allow_private_data_export: { type: 'boolean', default: false, ofUser: true },
  automatically_follow_topics_policy: { type: 'choice', values: [1, 2, 3, 4], default: 3 },
  automatically_follow_topics_where_mentioned: { type: 'boolean', default: true },
  automatically_unmute_topics_in_muted_streams_policy: { type: 'choice', values: [1, 2, 3, 4], default: 2 },
  color_scheme: { type: 'choice', values: [1, 2, 3], default: 1 },
  default_language: { type: 'string', default: 'en', ofUser: true },
  demote_inactive_streams: { type: 'choice', values: [1, 2, 3], default: 1 },
  desktop_icon_count_display: { type: 'choice', values: [1, 2, 3, 4], default: 1 },
  display_emoji_reaction_users: { type: 'boolean', default: true },
  email_address_visibility: { type: 'choice', values: [1, 2, 3, 4, 5], default: 1 },
  email_notifications_batching_period_seconds: { type: 'integer', default: 120 },
  emojiset: { type: 'choice', values: ['google', 'twitter', 'text'], default: 'google' },
  enable_desktop_notifications: { type: 'boolean', default: true },
  enable_digest_emails: { type: 'boolean', default: true },
  enable_drafts_synchronization: { type: 'boolean', default: true },
  enable_followed_topic_audible_notifications: { type: 'boolean', default: true },
  enable_followed_topic_desktop_notifications: { type: 'boolean', default: true },
  enable_followed_topic_email_notifications: { type: 'boolean', default: true },
  enable_followed_topic_push_notifications: { type: 'boolean', default: true },
  enable_followed_topic_wildcard_mentions_notify: { type: 'boolean', default: true },
  enable_login_emails: { type: 'boolean', default: true, ofUser: true },
  enable_marketing_emails: { type: 'boolean', default: true, ofUser: true },
  enable_offline_email_notifications: { type: 'boolean', default: true },
  enable_offline_push_notifications: { type: 'boolean', default: true },
  enable_online_push_notifications: { type: 'boolean', default: true },
  enable_sounds: { type: 'boolean', default: true },
  enable_stream_audible_notifications: { type: 'boolean', default: false },
  enable_stream_desktop_notifications: { type: 'boolean', default: false },
  enable_stream_email_notifications: { type: 'boolean', default: false },
  enable_stream_push_notifications: { type: 'boolean', default: false },
  enter_sends: { type: 'boolean', default: false },
  fluid_layout_width: { type: 'boolean', default: false },
  hide_ai_features: { type: 'boolean', default: false },
  high_contrast_mode: { type: 'boolean', default: false },
  left_side_userlist: { type: 'boolean', default: false },
  message_content_in_email_notifications: { type: 'boolean', default: true },
  notification_sound: { type: 'string', default: 'zulip' },
  pm_content_in_desktop_notifications: { type: 'boolean', default: true },
  presence_enabled: { type: 'boolean', default: true },
  realm_name_in_email_notifications_policy: { type: 'choice', values: [1, 2, 3], default: 1 },
  receives_typing_notifications: { type: 'boolean', default: true },
  resolved_topic_notice_auto_read_policy: {
    type: 'choice',
    values: ['always', 'except_followed', 'never'],
    default: 'except_followed',
  },
  send_private_typing_notifications: { type: 'boolean', default: true },
  send_read_receipts: { type: 'boolean', default: true },
  send_stream_typing_notifications: { type: 'boolean', default: true },
  starred_message_counts: { type: 'boolean', default: true },
  timezone: { type: 'string', default: '', ofUser: true },
  translate_emoticons: { type: 'boolean', default: false },
  twenty_four_hour_time: { type: 'boolean or null', default: false },
  user_list_style: { type: 'choice', values: [1, 2, 3], default: 2 },
  web_animate_image_previews: { type: 'choice', values: ['always', 'on_hover', 'never'], default: 'on_hover' },
  web_channel_default_view: { type: 'choice', values: [1, 2, 3, 4], default: 1 },
  web_escape_navigates_to_home_view: { type: 'boolean', default: true },
  web_font_size_px: { type: 'integer', default: 16 },
  web_home_view: { type: 'choice', values: ['recent', 'inbox', 'all_messages'], default: 'inbox' },
  web_inbox_show_channel_folders: { type: 'boolean', default: true },
  web_left_sidebar_show_channel_folders: { type: 'boolean', default: true },
  web_left_sidebar_unreads_count_summary: { type: 'boolean', default: true },
  web_line_height_percent: { type: 'integer', default: 140 },
  web_mark_read_on_scroll_policy: { type: 'choice', values: [1, 2, 3], default: 1 },
  web_navigate_to_sent_message: { type: 'boolean', default: true },
  web_stream_unreads_count_display_policy: { type: 'choice', values: [1, 2, 3], default: 2 },
  web_suggest_update_timezone: { type: 'boolean', default: true },
  wildcard_mentions_notify: { type: 'boolean', default: true },
} as const satisfies Record<string, Row>

type Row = Setting & { readonly ofUser?: true }
type Setting =
  | { readonly type: 'boolean'; readonly default: boolean }
  | { readonly type: 'boolean or null'; readonly default: boolean | null }
  | { readonly type: 'integer'; readonly default: number }
  | { readonly type: 'string'; readonly default: string }
  | { readonly type: 'choice'; readonly values: readonly (string | number)[]; readonly default: string | number }

interface ValueOfType {
  boolean: boolean
  'boolean or null': boolean | null
  integer: number
  string: string
}
type ValueOf<One extends Setting> = One extends { type: 'choice'; values: readonly (infer Value)[] }
  ? Value
  : ValueOfType[Exclude<One['type'], 'choice'>]

type Table = typeof USER_SETTINGS
export type UserSettingName = keyof Table
type NameOfUser = { [Name in UserSettingName]: Table[Name] extends { ofUser: true } ? Name : never }[UserSettingName]

/** Every setting of a user with its value. */
export type UserSettings = { readonly [Name in UserSettingName]: ValueOf<Table[Name]> }
/** Those that an organization can choose for new accounts. */
export type UserSettingsDefaults = Omit<UserSettings, NameOfUser>

export const USER_SETTING_NAMES = Object.keys(USER_SETTINGS) as readonly UserSettingName[]

const rows = Object.entries(USER_SETTINGS) as readonly (readonly [UserSettingName, Row])[]
const DEFAULTS = Object.fromEntries(rows.map(([name, row]) => [name, row.default])) as unknown as UserSettings

/** The settings in force: what is stored, and the default for everything else. */
export function userSettings(stored: Partial<UserSettings>): UserSettings {
  return { ...DEFAULTS, ...stored }
}

/** What new accounts begin with (realm_user_settings_defaults of POST /register). */
export function userSettingsDefaults(): UserSettingsDefaults {
  return Object.fromEntries(
    rows.filter(([, row]) => !row.ofUser).map(([name, row]) => [name, row.default]),
  ) as unknown as UserSettingsDefaults
}

/** What a client can offer beside the settings themselves. */
export const USER_SETTING_CHOICES = {
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'twitter', text: 'Twitter' },
    { key: 'text', text: 'Plain text' },
  ],
  available_notification_sounds: ['ding', 'zulip'],
} as const

const MAX_BATCHING_SECONDS = 604_800

/** Refuses a value that the contract's schema admits and the setting does not (PATCH /settings). */
export function checkUserSettings(settings: Partial<UserSettings>): Checked<Partial<UserSettings>> {
  const {
    default_language: language,
    notification_sound: sound,
    timezone,
    email_notifications_batching_period_seconds: batching,
    email_address_visibility: visibility,
  } = settings
  if (language !== undefined && !isLanguage(language)) return refuse('Invalid default_language')
  if (sound !== undefined && sound !== 'none' && !isOffered(sound))
    return refuse(`Invalid notification sound '${sound}'`)
  if (timezone !== undefined && !isTimeZone(timezone)) return refuse('timezone is not a recognized time zone')
  if (batching !== undefined && (batching < 1 || batching > MAX_BATCHING_SECONDS)) {
    return refuse(`Invalid email batching period: ${batching} seconds`)
  }
  // A promise of privacy that nothing would keep.
  if (visibility !== undefined && visibility !== 1) {
    return refuse('Invalid email_address_visibility: this server shows addresses to everyone, so only 1 is taken')
  }
  return accept(settings)
}

function isOffered(sound: string): boolean {
  return USER_SETTING_CHOICES.available_notification_sounds.some((one) => one === sound)
}

/**
 * IANA name, or empty: none chosen. Intl takes offsets and any case, too, but clients look names up as the registry
 * spells them: each part begins with a capital, and the rest is as Intl writes the name, unless it writes another for it.
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
