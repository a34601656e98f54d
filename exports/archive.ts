import { PRIVATE_TABLES } from '../db/archive/private-tables.ts'
import { FILES, ORGANIZATION_TABLES } from '../db/archive/tables.ts'
import type { Readers } from '../db/repositories.ts'
import { storageKeyOf } from '../domain/attachments/attachment.ts'
import { chunksOf } from '../domain/chunks.ts'
import { type CustomEmoji, emojiPicturePath, stillFileName } from '../domain/emoji/custom-emoji.ts'
import type { DataExport } from '../domain/exports.ts'
import type { UserId } from '../domain/ids.ts'
import { picturePathOf, type StoredPicture } from '../domain/organization/pictures.ts'
import { avatarFileNames, avatarPath, type User } from '../domain/users/user.ts'
import { FEATURE_LEVEL } from '../domain/versions.ts'
import { Pauses } from '../event-loop/pauses.ts'
import type { UploadStore } from '../uploads/store.ts'
import { jsonEntry, lineEntries } from './entries.ts'
import { KnownThings } from './known-things.ts'
import { exportedMessages } from './messages.ts'
import { exportedOrganization } from './organization.ts'
import type { Entry } from './pack.ts'
import { exportedPeople, exportedSettings } from './people.ts'
import { exportedRows } from './rows.ts'
import type { Scope } from './scope.ts'

/** Version of the format in docs/export.md. */
export const FORMAT = 2
/** Files and subscriptions read by one query. */
const ROWS_A_STATEMENT = 500

/** The title record of an archive. */
export interface ArchiveTitle extends Pick<DataExport, 'type' | 'requestedMs'> {
  /** Id of the export that administrators asked for; absent in an operator's export. */
  readonly id?: number
}

export interface ArchiveSource {
  readonly read: Readers
  /** Contents of uploaded files. */
  readonly uploads: UploadStore
}

/** Yields everything in `scope` as the files that docs/export.md describes. Each is read only when its turn comes. */
export async function* archiveEntries(
  { read, uploads }: ArchiveSource,
  scope: Scope,
  { id, type, requestedMs }: ArchiveTitle,
): AsyncIterable<Entry> {
  yield jsonEntry('export.json', {
    format: FORMAT,
    id,
    export_type: type,
    export_time: requestedMs / 1000,
    feature_level: FEATURE_LEVEL,
    last_message_id: scope.lastMessageId,
  })
  const known = await thingsIn(read, scope)
  yield jsonEntry('organization.json', await exportedOrganization(read, known))
  yield* lineEntries('users', exportedPeople(read, scope))
  for (const table of ORGANIZATION_TABLES) yield* lineEntries(table.folder, exportedRows(read, table, known))
  yield* lineEntries('messages', exportedMessages(read, scope, known))
  yield* lineEntries('private/settings', exportedSettings(read, scope))
  const isTheirs = (userId: number): boolean => scope.hasPrivateDataOf({ id: userId as UserId })
  for (const table of scope.hasPrivateData ? PRIVATE_TABLES : []) {
    yield* lineEntries(table.folder, exportedRows(read, table, known, isTheirs))
  }
  for (const user of scope.users) {
    if (!scope.hasPrivateDataOf(user)) continue
    for (const file of await read.attachments.ofOwner(user.id)) known.add('file', file.id)
  }
  const ids = [...known.all('file')].toSorted((a, b) => a - b)
  yield* lineEntries(FILES.folder, attachments(read, ids, known))
  yield* pictures(read, scope)
  yield* uploadedFiles({ read, uploads }, ids)
}

/** The items in the archive that others refer to. Messages and files are added when they are read. */
async function thingsIn(read: Readers, scope: Scope): Promise<KnownThings> {
  const known = new KnownThings()
  for (const user of [...scope.users, ...(await read.users.systemBots())]) known.add('user', user.id)
  for (const group of await read.userGroups.all()) known.add('group', group.id)
  for (const channel of scope.channels) if (await scope.hasChannel(channel)) known.add('channel', channel.id)
  return known
}

async function* attachments(read: Readers, ids: readonly number[], known: KnownThings): AsyncIterable<object> {
  for (const chunk of chunksOf(ids, ROWS_A_STATEMENT)) {
    for (const { pathId, fileName, contentType, createdAt, ownerId, id, size } of await read.attachments.byIds(chunk)) {
      if (!known.has(['user', ownerId])) continue
      yield {
        id,
        path_id: pathId,
        file_name: fileName,
        content_type: contentType,
        size,
        owner_id: ownerId,
        created_at: createdAt,
      }
    }
  }
}

async function* pictures(read: Readers, { users }: Scope): AsyncIterable<Entry> {
  const pauses = new Pauses()
  const own = Object.values(await read.organizations.pictures())
  for (const path of picturePaths(own, await read.customEmoji.all(), users)) {
    const bytes = await read.pictures.of(path)
    if (bytes) yield { name: `pictures/${path}`, size: bytes.length, content: [new Uint8Array(bytes)] }
    await pauses.letOthers()
  }
}

/** @param own pictures of the organization */
function* picturePaths(
  own: readonly StoredPicture[],
  emoji: readonly CustomEmoji[],
  users: readonly User[],
): Iterable<string> {
  for (const { key } of own) if (key !== null) yield picturePathOf(key)
  for (const { fileName, isAnimated } of emoji) {
    yield emojiPicturePath(fileName)
    if (isAnimated) yield emojiPicturePath(stillFileName(fileName), true)
  }
  for (const { avatarKey } of users) {
    if (avatarKey !== null) yield* Object.values(avatarFileNames(avatarKey)).map(avatarPath)
  }
}

async function* uploadedFiles({ read, uploads }: ArchiveSource, ids: readonly number[]): AsyncIterable<Entry> {
  const pauses = new Pauses()
  for (const chunk of chunksOf(ids, ROWS_A_STATEMENT)) {
    for (const { pathId, size } of await read.attachments.byIds(chunk)) {
      // A file that was deleted after its row was read, or is damaged, is not in the archive.
      const file = await uploads.open(storageKeyOf(pathId))
      if (file?.size === size) yield { name: `uploads/${pathId}`, size, content: file.bytes(0, size - 1) }
      else await file?.close()
      await pauses.letOthers()
    }
  }
}
