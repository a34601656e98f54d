import type { UploadLimits } from '../domain/attachments/attachment.ts'
import { THUMBNAIL_FORMATS } from '../domain/attachments/thumbnails.ts'
import * as limits from '../domain/limits.ts'
import { MAX_MESSAGE_LENGTH } from '../domain/messages/message-content.ts'
import { REPORT_MESSAGE_TYPES } from '../domain/messages/report.ts'
import { olderSettings } from '../domain/organization/older-settings.ts'
import {
  AUTHENTICATION_METHODS,
  ORGANIZATION_SETTING_NAMES,
  type Organization,
  type OrganizationSettings,
  VIDEO_CHAT_PROVIDERS,
} from '../domain/organization/organization-settings.ts'
import { pictureFields } from '../domain/organization/pictures.ts'
import { hostOf, type Site } from '../domain/organization/server-settings.ts'
import { EXTERNAL_ACCOUNTS } from '../domain/profiles/external-accounts.ts'
import { MAX_CHANNEL_NAME_LENGTH } from '../domain/text/names.ts'
import { EMPTY_TOPIC_DISPLAY_NAME, MAX_TOPIC_LENGTH } from '../domain/topics/topics.ts'
import {
  CHANNEL_GROUP_SETTINGS,
  type GroupSetting,
  ORGANIZATION_GROUP_SETTINGS,
  USER_GROUP_GROUP_SETTINGS,
} from '../domain/user-groups/group-settings.ts'

/**
 * Returns the fields of POST /register for fetch type `realm`; meaning and units: schemas/realm-state.yaml. They are
 * the same for all accounts. Features that Parley does not have (video calls, e-mail, web-public channels) have
 * constants that make clients hide them.
 */
export function realmState(organization: Organization, site: Site, uploads: UploadLimits) {
  const { settings, pictures } = organization
  return {
    ...inState(known(settings)),
    ...inState(olderSettings(settings)),
    ...inState(pictureFields('icon', pictures.icon, site)),
    ...inState(pictureFields('logo', pictures.logo, site)),
    ...inState(pictureFields('night_logo', pictures.night_logo, site)),
    ...SERVER_FIELDS,
    realm_name: organization.name,
    realm_description: organization.description,
    realm_url: site.publicUrl,
    realm_uri: site.publicUrl,
    realm_uuid: organization.uuid,
    realm_bot_domain: hostOf(site),
    realm_date_created: organization.createdAt,
    realm_owner_full_content_access: site.ownerFullContentAccess,
    realm_push_notifications_enabled: site.sendsPushNotifications,
    max_file_upload_size_mib: uploads.maxFileMib,
    realm_upload_quota_mib: uploads.quotaMib,
    jitsi_server_url: settings.jitsi_server_url,
    server_emoji_data_url: `${site.publicUrl}/static/emoji-data.json`,
  }
}

/** Leaves out values that an older server has stored under names that no longer exist. */
function known(settings: OrganizationSettings): OrganizationSettings {
  return Object.fromEntries(
    ORGANIZATION_SETTING_NAMES.map((name) => [name, settings[name]]),
  ) as unknown as OrganizationSettings
}

/** Fields of the state, by the names of settings. */
type InState<Fields> = { [Name in keyof Fields & string as `realm_${Name}`]: Fields[Name] }

function inState<Fields extends object>(fields: Fields): InState<Fields> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`realm_${name}`, value])) as InState<Fields>
}

function permissionSettings(settings: Readonly<Record<string, GroupSetting>>) {
  const entries = Object.entries(settings).map(([name, setting]) => [
    name,
    {
      require_system_group: setting.requiresSystemGroup ?? false,
      allow_internet_group: false,
      allow_nobody_group: setting.allowsNobody,
      allow_everyone_group: setting.allowsEveryone,
      default_group_name: setting.default,
      default_for_system_groups: setting.defaultForSystemGroups ?? null,
      allowed_system_groups: setting.allowedSystemGroups ?? [],
    },
  ])
  return Object.fromEntries(entries)
}

const NOTHING_TO_CHOOSE = { disabled: { name: 'None', id: 0 } }

/** Fields that depend on neither the organization nor the address. */
const SERVER_FIELDS = {
  realm_plan_type: 1,
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_authentication_methods: AUTHENTICATION_METHODS,
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_default_external_accounts: EXTERNAL_ACCOUNTS,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_available_video_chat_providers: VIDEO_CHAT_PROVIDERS,
  max_stream_name_length: MAX_CHANNEL_NAME_LENGTH,
  max_stream_description_length: limits.MAX_CHANNEL_DESCRIPTION_LENGTH,
  max_topic_length: MAX_TOPIC_LENGTH,
  max_message_length: MAX_MESSAGE_LENGTH,
  max_channel_folder_name_length: limits.MAX_CHANNEL_FOLDER_NAME_LENGTH,
  max_channel_folder_description_length: limits.MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH,
  max_reminder_note_length: limits.MAX_REMINDER_NOTE_LENGTH,
  max_bulk_new_subscription_messages: limits.MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
  password_min_length: limits.MIN_PASSWORD_LENGTH,
  password_max_length: limits.MAX_PASSWORD_LENGTH,
  password_min_guesses: 0,
  max_avatar_file_size_mib: limits.MAX_PICTURE_MIB,
  max_icon_file_size_mib: limits.MAX_PICTURE_MIB,
  max_logo_file_size_mib: limits.MAX_PICTURE_MIB,
  event_queue_longpoll_timeout_seconds: limits.LONG_POLL_TIMEOUT_SECONDS,
  server_presence_ping_interval_seconds: limits.PRESENCE_PING_INTERVAL_SECONDS,
  server_presence_offline_threshold_seconds: limits.PRESENCE_OFFLINE_THRESHOLD_SECONDS,
  server_typing_started_expiry_period_milliseconds: limits.TYPING_STARTED_EXPIRY_MS,
  server_typing_stopped_wait_period_milliseconds: limits.TYPING_STOPPED_WAIT_MS,
  server_typing_started_wait_period_milliseconds: limits.TYPING_STARTED_WAIT_MS,
  server_min_deactivated_realm_deletion_days: limits.MIN_DEACTIVATED_DELETION_DAYS,
  server_max_deactivated_realm_deletion_days: null,
  server_generation: 0,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  server_web_public_streams_enabled: false,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: false,
  server_thumbnail_formats: THUMBNAIL_FORMATS,
  server_jitsi_server_url: null,
  server_can_summarize_topics: false,
  server_report_message_types: REPORT_MESSAGE_TYPES,
  server_supported_permission_settings: {
    realm: permissionSettings(ORGANIZATION_GROUP_SETTINGS),
    stream: permissionSettings(CHANNEL_GROUP_SETTINGS),
    group: permissionSettings(USER_GROUP_GROUP_SETTINGS),
  },
  gif_rating_policy_options: NOTHING_TO_CHOOSE,
  settings_send_digest_emails: false,
  development_environment: false,
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: null,
} as const
