import { Pauses } from '../db/pauses.ts'
import type { Readers } from '../db/repositories.ts'
import { storageKeyOf } from '../domain/attachments/attachment.ts'
import { chunksOf } from '../domain/chunks.ts'
import { emojiPicturePath } from '../domain/emoji/custom-emoji.ts'
import type { DataExport } from '../domain/exports.ts'
import { profileOf } from '../domain/profiles/profile-fields.ts'
import type { User } from '../domain/users/user.ts'
import { FEATURE_LEVEL } from '../domain/versions.ts'
import type { UploadStore } from '../uploads/store.ts'
import { jsonEntry, lineEntries } from './entries.ts'
import { exportedMessages } from './messages.ts'
import type { Entry } from './pack.ts'
import type { Scope } from './scope.ts'

/** Of the format that docs/export.md describes. */
const FORMAT = 1
/** Files and subscriptions looked up together. */
const ROWS_A_STATEMENT = 500

export interface ArchiveSource {
  readonly read: Readers
  /** The bytes of what people uploaded. */
  readonly uploads: UploadStore
}

/** Everything of `scope` in the files that docs/export.md describes, each read when its turn comes. */
export async function* archiveEntries(
  { read, uploads }: ArchiveSource,
  scope: Scope,
  { id, type, requestedMs }: Pick<DataExport, 'id' | 'type' | 'requestedMs'>,
): AsyncIterable<Entry> {
  yield jsonEntry('export.json', {
    ...{ format: FORMAT, id, export_type: type, export_time: requestedMs / 1000, feature_level: FEATURE_LEVEL },
  })
  yield jsonEntry('organization.json', await organization(read))
  yield* lineEntries('users', exportedUsers(scope))
  yield* lineEntries('user_groups', await read.userGroups.all())
  const channels: (typeof scope.channels)[number][] = []
  for (const channel of scope.channels) if (await scope.hasChannel(channel)) channels.push(channel)
  yield* lineEntries('channels', channels)
  yield* lineEntries('subscriptions', subscriptions(read, channels))
  const attachmentIds = new Set<number>()
  yield* lineEntries('messages', exportedMessages(read, scope, attachmentIds))
  yield* lineEntries('private', privateData(read, scope, attachmentIds))
  const ids = [...attachmentIds].toSorted((a, b) => a - b)
  yield* lineEntries('attachments', attachments(read, ids))
  yield* emojiPictures(read)
  yield* uploadedFiles({ read, uploads }, ids)
}

async function organization(read: Readers): Promise<object> {
  const { uuid, stringId, name, description, createdAt, settings } = (await read.organizations.find()) ?? {}
  return {
    ...{ uuid, string_id: stringId, name, description, date_created: createdAt, settings },
    new_account_settings: await read.organizations.newAccountSettings(),
    email_domains: await read.emailDomains.all(),
    channel_folders: await read.channelFolders.all(),
    default_channel_ids: await read.defaultChannels.ids(),
    default_channel_groups: await read.defaultChannels.groups(),
    custom_profile_fields: await read.customProfileFields.all(),
    custom_emoji: await read.customEmoji.all(),
    linkifiers: await read.linkifiers.all(),
    playgrounds: await read.playgrounds.all(),
  }
}

function* exportedUsers(scope: Scope): Iterable<object> {
  for (const user of scope.users) {
    yield {
      user_id: user.id,
      full_name: user.fullName,
      delivery_email: scope.hasAddressOf(user) ? user.email : null,
      email_address_visibility: user.emailVisibility,
      role: user.role,
      is_active: user.isActive,
      bot_type: user.botType,
      bot_owner_id: user.botOwnerId,
      date_joined: user.dateJoined,
      timezone: user.timezone,
      profile_data: profileOf(user),
    }
  }
}

async function* subscriptions(read: Readers, channels: readonly { readonly id: number }[]): AsyncIterable<object> {
  for (const { id } of channels as Scope['channels']) {
    for (let after = 0; ; ) {
      const page = await read.exportedRows.subscriptions(id, after, ROWS_A_STATEMENT)
      for (const { is_active, ...row } of page) if (is_active === 1) yield row
      const last = page.at(-1)
      if (!last || page.length < ROWS_A_STATEMENT) break
      after = last.user_id
    }
  }
}

/** What people keep for themselves, a line each. @param attachmentIds gets their files */
async function* privateData(read: Readers, scope: Scope, attachmentIds: Set<number>): AsyncIterable<object> {
  for (const user of scope.users) {
    if (!scope.hasPrivateDataOf(user)) continue
    for (const { id } of await read.attachments.ofOwner(user.id)) attachmentIds.add(id)
    yield await keptBy(read, user)
  }
}

async function keptBy(read: Readers, { id }: User): Promise<object> {
  return {
    user_id: id,
    settings: await read.users.settingsOf(id),
    subscriptions: await read.subscriptions.ofUser(id),
    topics: await read.userTopics.ofUser(id),
    status: await read.userStatuses.of(id),
    alert_words: await read.alertWords.of(id),
    muted_users: await read.mutedUsers.of(id),
    starred_message_ids: [...(await read.readState.flagged(id, ['starred'])).keys()],
    navigation_views: await read.navigationViews.of(id),
    drafts: await read.drafts.of(id),
    saved_snippets: await read.savedSnippets.of(id),
    scheduled_messages: await read.scheduledMessages.of(id),
    reminders: await read.reminders.of(id),
  }
}

async function* attachments(read: Readers, ids: readonly number[]): AsyncIterable<object> {
  for (const chunk of chunksOf(ids, ROWS_A_STATEMENT)) {
    for (const { pathId, fileName, contentType, createdAt, ownerId, ...one } of await read.attachments.byIds(chunk)) {
      yield {
        ...{ ...one, path_id: pathId, name: fileName, content_type: contentType },
        ...{ owner_id: ownerId, create_time: createdAt },
      }
    }
  }
}

async function* emojiPictures(read: Readers): AsyncIterable<Entry> {
  for (const { fileName } of await read.customEmoji.all()) {
    const bytes = await read.pictures.of(emojiPicturePath(fileName))
    if (bytes) yield { name: `emoji/${fileName}`, size: bytes.length, content: [new Uint8Array(bytes)] }
  }
}

async function* uploadedFiles({ read, uploads }: ArchiveSource, ids: readonly number[]): AsyncIterable<Entry> {
  const pauses = new Pauses()
  for (const chunk of chunksOf(ids, ROWS_A_STATEMENT)) {
    for (const { pathId, size } of await read.attachments.byIds(chunk)) {
      // Deleted since its row was read, and so no part of the archive.
      const file = await uploads.open(storageKeyOf(pathId))
      if (file) yield { name: `uploads/${pathId}`, size, content: file.bytes(0, size - 1) }
      await pauses.letOthers()
    }
  }
}
