import { DEFAULT_DELETE_LIMIT_SECONDS, DEFAULT_EDIT_LIMIT_SECONDS, DEFAULT_MOVE_LIMIT_SECONDS } from '../limits.ts'
import { type GroupSettingValue, ORGANIZATION_GROUP_SETTINGS } from '../user-groups/group-settings.ts'
import { SYSTEM_GROUP_ID } from '../user-groups/system-groups.ts'

/**
 * What an organization can set, by the name of the wire without `realm_`: the field of POST /register, the parameter of
 * PATCH /realm, the `property` of realm events and the key in the stored JSON are one spelling. Units and bounds are in
 * openapi/schemas/realm-state.yaml. Group settings are the rows of ORGANIZATION_GROUP_SETTINGS; `choice` takes one of
 * `values`. Defaults for what Parley does not do (e-mail, previews of links) say so by being off.
 */
const PLAIN_SETTINGS = {
  allow_message_editing: { type: 'boolean', default: true },
  avatar_changes_disabled: { type: 'boolean', default: false },
  default_avatar_source: { type: 'choice', values: ['G', 'J'], default: 'G' },
  default_code_block_language: { type: 'string', default: '' },
  default_language: { type: 'string', default: 'en' },
  digest_emails_enabled: { type: 'boolean', default: false },
  digest_weekday: { type: 'integer', default: 1 },
  disallow_disposable_email_addresses: { type: 'boolean', default: false },
  email_changes_disabled: { type: 'boolean', default: false },
  emails_restricted_to_domains: { type: 'boolean', default: false },
  enable_guest_user_dm_warning: { type: 'boolean', default: true },
  enable_guest_user_indicator: { type: 'boolean', default: true },
  enable_read_receipts: { type: 'boolean', default: true },
  enable_spectator_access: { type: 'boolean', default: false },
  gif_rating_policy: { type: 'integer', default: 0 },
  inline_image_preview: { type: 'boolean', default: true },
  inline_url_embed_preview: { type: 'boolean', default: false },
  invite_required: { type: 'boolean', default: true },
  jitsi_server_url: { type: 'string or null', default: null },
  media_preview_size: { type: 'choice', values: [100, 150, 200], default: 100 },
  message_content_allowed_in_email_notifications: { type: 'boolean', default: true },
  message_content_delete_limit_seconds: { type: 'integer or null', default: DEFAULT_DELETE_LIMIT_SECONDS },
  message_content_edit_limit_seconds: { type: 'integer or null', default: DEFAULT_EDIT_LIMIT_SECONDS },
  message_edit_history_visibility_policy: { type: 'choice', values: ['all', 'moves', 'none'], default: 'all' },
  message_retention_days: { type: 'integer', default: -1 },
  moderation_request_channel_id: { type: 'integer', default: -1 },
  move_messages_between_streams_limit_seconds: { type: 'integer or null', default: DEFAULT_MOVE_LIMIT_SECONDS },
  move_messages_within_stream_limit_seconds: { type: 'integer or null', default: DEFAULT_MOVE_LIMIT_SECONDS },
  name_changes_disabled: { type: 'boolean', default: false },
  new_stream_announcements_stream_id: { type: 'integer', default: -1 },
  org_type: {
    type: 'choice',
    values: [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000],
    default: 0,
  },
  presence_disabled: { type: 'boolean', default: false },
  require_e2ee_push_notifications: { type: 'boolean', default: false },
  require_unique_names: { type: 'boolean', default: false },
  send_channel_events_messages: { type: 'boolean', default: true },
  send_welcome_emails: { type: 'boolean', default: false },
  signup_announcements_stream_id: { type: 'integer', default: -1 },
  topics_policy: { type: 'choice', values: ['allow_empty_topic', 'disable_empty_topic'], default: 'allow_empty_topic' },
  video_chat_provider: { type: 'integer', default: 0 },
  waiting_period_threshold: { type: 'integer', default: 0 },
  want_advertise_in_communities_directory: { type: 'boolean', default: false },
  welcome_message_custom_text: { type: 'string', default: '' },
  zulip_update_announcements_stream_id: { type: 'integer', default: -1 },
} as const satisfies Record<string, PlainSetting>

type PlainSetting =
  | { readonly type: 'boolean'; readonly default: boolean }
  | { readonly type: 'integer'; readonly default: number }
  | { readonly type: 'integer or null'; readonly default: number | null }
  | { readonly type: 'string'; readonly default: string }
  | { readonly type: 'string or null'; readonly default: string | null }
  | {
      readonly type: 'choice'
      readonly values: readonly (string | number)[]
      readonly default: string | number
    }

interface ValueOfType {
  boolean: boolean
  integer: number
  'integer or null': number | null
  string: string
  'string or null': string | null
}
type ValueOf<Setting extends PlainSetting> = Setting extends { type: 'choice'; values: readonly (infer Value)[] }
  ? Value
  : ValueOfType[Exclude<Setting['type'], 'choice'>]

/** Every setting of an organization with its value, keyed by the name of the wire without `realm_`. */
export type OrganizationSettings = {
  readonly [Name in keyof typeof PLAIN_SETTINGS]: ValueOf<(typeof PLAIN_SETTINGS)[Name]>
} & { readonly [Name in keyof typeof ORGANIZATION_GROUP_SETTINGS]: GroupSettingValue }

export type OrganizationSettingName = keyof OrganizationSettings

const defaultEntries = [
  ...Object.entries(PLAIN_SETTINGS).map(([name, setting]) => [name, setting.default] as const),
  ...Object.entries(ORGANIZATION_GROUP_SETTINGS).map(
    ([name, group]) => [name, SYSTEM_GROUP_ID[group.default]] as const,
  ),
]
const DEFAULTS = Object.fromEntries(defaultEntries) as OrganizationSettings

/** All names, in the order of the tables. */
export const ORGANIZATION_SETTING_NAMES = Object.keys(DEFAULTS) as readonly OrganizationSettingName[]

/** Those that PATCH /realm changes, in the order of the tables. */
export const CHANGEABLE_SETTING_NAMES = [
  'allow_message_editing',
  'can_create_groups',
] as const satisfies readonly OrganizationSettingName[]

/** Among them, those that administrators may not change. */
export const CHANGED_BY_OWNERS: ReadonlySet<OrganizationSettingName> = new Set(['can_create_groups'])

/** The settings in force: what is stored, and the default for everything else. */
export function organizationSettings(stored: Partial<OrganizationSettings>): OrganizationSettings {
  return { ...DEFAULTS, ...stored }
}

/** The one organization of a database. */
export interface Organization {
  readonly id: number
  readonly uuid: string
  /** The short name; empty for the organization at the root of its host. */
  readonly stringId: string
  readonly name: string
  /** Markdown source. */
  readonly description: string
  /** UNIX seconds. */
  readonly createdAt: number
  readonly settings: OrganizationSettings
}
