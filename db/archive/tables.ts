import { hasReadersByGroup, type StoredChannelGroups } from '../../domain/channels/channel.ts'
import type { UserId } from '../../domain/ids.ts'
import { nameKey } from '../../domain/text/text-keys.ts'
import { CHANNEL_GROUP_SETTINGS, USER_GROUP_GROUP_SETTINGS } from '../../domain/user-groups/group-settings.ts'
import type { SqlValue } from '../session.ts'
import type { ArchivedTable } from './archived-table.ts'
import {
  groupSettings,
  idOf,
  json,
  longText,
  matching,
  oneOf,
  orNull,
  ownId,
  text,
  time,
  UnfitValueError,
  whole,
  yesOrNo,
} from './columns.ts'

const user = idOf('user')
const channel = idOf('channel')
const strings = json((value) => {
  if (!(Array.isArray(value) && value.every((one) => typeof one === 'string'))) {
    throw new UnfitValueError('is no list of texts')
  }
})

/** The part of a picture's address that names it. */
const EMOJI_FILE = /^[A-Za-z0-9_-]+\.[A-Za-z0-9]+$/
/** The form that domain/attachments/file-names.ts produces. No part of it can lead to another folder. */
const PATH_ID = /^\d+\/[0-9a-f]{32}\/(?!\.)[^/\\\p{Cc}]+$/u

const SUBSCRIPTION = { user_id: user, channel_id: channel }

function hasGroupReaders(creatorId: SqlValue | undefined, settings: string): boolean {
  return hasReadersByGroup({
    creatorId: typeof creatorId === 'number' ? (creatorId as UserId) : null,
    groupSettings: JSON.parse(settings) as StoredChannelGroups,
  })
}

/**
 * Tables of the organization, in an order in which references come after their targets. Accounts come before all of
 * them.
 */
export const ORGANIZATION_TABLES: readonly ArchivedTable[] = [
  {
    folder: 'user_groups',
    table: 'user_group',
    noun: 'group',
    where: 'is_system_group = 0',
    columns: {
      id: ownId,
      name: text(100),
      description: longText,
      creator_id: orNull(user),
      created_at: orNull(time),
      is_deactivated: yesOrNo,
      group_settings: orNull(groupSettings(Object.keys(USER_GROUP_GROUP_SETTINGS))),
    },
    order: ['id'],
    derived: () => ({ is_system_group: 0 }),
  },
  {
    folder: 'user_group_members',
    table: 'user_group_member',
    columns: { group_id: idOf('group'), user_id: user },
    order: ['group_id', 'user_id'],
  },
  {
    folder: 'user_group_subgroups',
    table: 'user_group_subgroup',
    columns: { group_id: idOf('group'), subgroup_id: idOf('group') },
    order: ['group_id', 'subgroup_id'],
  },
  {
    folder: 'channel_folders',
    table: 'channel_folder',
    noun: 'folder',
    columns: {
      id: ownId,
      name: text(60),
      description: longText,
      rendered_description: longText,
      position: whole(0),
      creator_id: orNull(user),
      created_at: orNull(time),
      is_archived: yesOrNo,
    },
    order: ['id'],
  },
  {
    folder: 'channels',
    table: 'channel',
    noun: 'channel',
    columns: {
      id: ownId,
      name: text(60),
      description: longText,
      rendered_description: longText,
      creator_id: orNull(user),
      created_at: time,
      invite_only: yesOrNo,
      history_public_to_subscribers: yesOrNo,
      is_web_public: yesOrNo,
      is_archived: yesOrNo,
      message_retention_days: orNull(whole(-1, 2_147_483_647)),
      topics_policy: oneOf('inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'),
      folder_id: orNull(idOf('folder')),
      group_settings: groupSettings(Object.keys(CHANNEL_GROUP_SETTINGS)),
    },
    order: ['id'],
    derived: ({ name, invite_only: isPrivate, creator_id: creatorId, group_settings: settings }) => ({
      name_key: nameKey(String(name)),
      has_group_readers: isPrivate === 1 && hasGroupReaders(creatorId, String(settings)) ? 1 : 0,
    }),
  },
  { folder: 'default_channels', table: 'default_channel', columns: { channel_id: channel }, order: ['channel_id'] },
  {
    folder: 'default_channel_groups',
    table: 'default_channel_group',
    noun: 'channel set',
    columns: { id: ownId, name: text(60), description: longText },
    order: ['id'],
  },
  {
    folder: 'default_channel_group_channels',
    table: 'default_channel_group_channel',
    columns: { group_id: idOf('channel set'), channel_id: channel },
    order: ['group_id', 'channel_id'],
  },
  {
    folder: 'profile_fields',
    table: 'custom_profile_field',
    columns: {
      id: ownId,
      type: whole(1, 8),
      position: whole(0),
      name: text(40),
      hint: text(80),
      field_data: longText,
      display_in_profile_summary: yesOrNo,
      is_required: yesOrNo,
      editable_by_user: yesOrNo,
      use_for_user_matching: yesOrNo,
    },
    order: ['id'],
  },
  {
    folder: 'custom_emoji',
    table: 'custom_emoji',
    columns: {
      id: ownId,
      name: text(100),
      file_name: matching(EMOJI_FILE, 150),
      author_id: orNull(user),
      is_deactivated: yesOrNo,
      is_animated: yesOrNo,
    },
    order: ['id'],
  },
  {
    folder: 'linkifiers',
    table: 'linkifier',
    columns: {
      id: ownId,
      position: whole(0),
      pattern: longText,
      url_template: longText,
      example_input: orNull(longText),
      reverse_template: orNull(longText),
      alternative_url_templates: strings,
    },
    order: ['id'],
  },
  {
    folder: 'playgrounds',
    table: 'playground',
    columns: { id: ownId, name: text(191), pygments_language: text(40), url_template: longText },
    order: ['id'],
  },
  {
    folder: 'email_domains',
    table: 'email_domain',
    columns: { id: ownId, domain: text(191), allow_subdomains: yesOrNo },
    order: ['id'],
  },
  {
    folder: 'subscriptions',
    table: 'subscription',
    where: 'is_active = 1',
    columns: SUBSCRIPTION,
    order: ['user_id', 'channel_id'],
    // Used until another row contains the user's settings for the channel.
    derived: () => ({ is_active: 1, color: '#5b8def', is_muted: 0, pin_to_top: 0 }),
  },
]

/**
 * Uploaded files. Everything that they refer to is imported before, and messages have recorded which files they
 * contain.
 */
export const FILES: ArchivedTable = {
  folder: 'attachments',
  table: 'attachment',
  noun: 'file',
  columns: {
    id: ownId,
    path_id: matching(PATH_ID, 191),
    file_name: text(255),
    content_type: text(100),
    size: whole(0),
    owner_id: user,
    created_at: time,
  },
  order: ['id'],
}
