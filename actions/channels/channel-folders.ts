import type { FolderText } from '../../db/repositories/channel-folders.ts'
import type { Readers, Tx } from '../../db/repositories.ts'
import { boundedDescriptionHtml } from '../../domain/channels/channel-text.ts'
import { BadRequestError } from '../../domain/errors.ts'
import {
  MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH,
  MAX_CHANNEL_FOLDER_NAME_LENGTH,
  MAX_CHANNEL_FOLDERS,
  MAX_FOLDER_HTML_BYTES,
} from '../../domain/limits.ts'
import { boundedText, requiredName } from '../../domain/text/given-text.ts'
import { nameKey } from '../../domain/text/text-keys.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { Schemas } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'

type ChannelFolder = Schemas['ChannelFolder']
type FolderChanges = Partial<FolderText & Pick<ChannelFolder, 'is_archived'>>

/** Absent fields stay unchanged. */
interface SentText {
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/**
 * Returns the texts of a folder that were sent, in their stored form; call it before the transaction.
 *
 * @throws {BadRequestError} naming the invalid one
 */
export function folderText(sent: { readonly name: string; readonly description: string }): FolderText
export function folderText(sent: SentText): Partial<FolderText>
export function folderText({ name, description }: SentText): Partial<FolderText> {
  return {
    ...(name !== undefined && { name: requiredName('name', name, MAX_CHANNEL_FOLDER_NAME_LENGTH) }),
    ...(description !== undefined && {
      description: boundedText('description', description, MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH),
      rendered_description: boundedDescriptionHtml(description),
    }),
  }
}

/**
 * Creates a folder, and announces it.
 *
 * @throws {BadRequestError} if one in use has the name, there are too many, or the descriptions of all are too long
 */
export async function createFolder(tx: Tx, actor: Actor, text: FolderText): Promise<ChannelFolder> {
  const known = await tx.channelFolders.all()
  refuseTakenName(known, text.name)
  if (known.length >= MAX_CHANNEL_FOLDERS) {
    throw new BadRequestError(`There can be at most ${MAX_CHANNEL_FOLDERS} channel folders, with archived ones.`)
  }
  refuseLongTogether([...known, text])
  const folder = await tx.channelFolders.insert({ ...text, creatorId: actor.id, createdAt: tx.organization.now })
  tx.events.append({ type: 'channel_folder', op: 'add', channel_folder: folder }, { to: 'everyone' })
  return folder
}

/**
 * Applies the changes that differ from the present values, and announces them.
 *
 * @throws {BadRequestError} if the folder does not exist, would be archived while it has channels, another one in use
 * has its name, or the descriptions of all are too long
 */
export async function changeFolder(tx: Tx, id: number, wanted: FolderChanges): Promise<void> {
  const known = await tx.channelFolders.all()
  const folder = known.find((one) => one.id === id)
  if (!folder) throw new BadRequestError('Invalid channel folder ID')
  const names = (Object.keys(wanted) as (keyof FolderChanges)[]).filter((name) => wanted[name] !== folder[name])
  if (names.length === 0) return
  const data: FolderChanges = Object.fromEntries(names.map((name) => [name, wanted[name]]))
  if (data.is_archived && (await tx.channelFolders.hasChannels(id))) {
    throw new BadRequestError('A folder that has channels cannot be archived: put them elsewhere first.')
  }
  const changed = { ...folder, ...data }
  const others = known.filter((one) => one !== folder)
  if (!changed.is_archived && (data.name !== undefined || data.is_archived === false)) {
    refuseTakenName(others, changed.name)
  }
  // Shorter ones are accepted even where older versions have stored too much.
  if (htmlBytes(changed) > htmlBytes(folder)) refuseLongTogether([...others, changed])
  await tx.channelFolders.change(id, data)
  tx.events.append({ type: 'channel_folder', op: 'update', channel_folder_id: id, data }, { to: 'everyone' })
}

/**
 * Sorts the folders in this order; folders that are not named follow.
 *
 * @throws {BadRequestError} for a folder that does not exist or is named twice
 */
export async function reorderFolders(tx: Tx, wanted: readonly number[]): Promise<void> {
  const pauses = new Pauses()
  const folders = await tx.channelFolders.all(pauses)
  const left = new Map(folders.map((folder) => [folder.id, folder]))
  for (const id of wanted) if (!left.delete(id)) throw new BadRequestError('Invalid order mapping')
  const order = [...wanted, ...left.keys()]
  if (order.every((id, index) => folders[index]?.id === id)) return
  for (const [position, id] of order.entries()) {
    await tx.channelFolders.move(id, position)
    await pauses.letOthers()
  }
  tx.events.append({ type: 'channel_folder', op: 'reorder', order }, { to: 'everyone' })
}

/** Checks the folder of a channel; null means none. @throws {BadRequestError} if it is not in use */
export async function acceptFolder(read: Readers, id: number | null): Promise<number | null> {
  if (id === null) return null
  const folder = await read.channelFolders.byId(id)
  if (!folder || folder.is_archived) throw new BadRequestError('Invalid channel folder ID')
  return id
}

function refuseTakenName(others: readonly ChannelFolder[], name: string): void {
  if (others.some((folder) => !folder.is_archived && nameKey(folder.name) === nameKey(name))) {
    throw new BadRequestError(`A channel folder named '${name}' already exists`)
  }
}

function htmlBytes({ rendered_description: html }: FolderText): number {
  return Buffer.byteLength(html)
}

function refuseLongTogether(folders: readonly FolderText[]): void {
  const bytes = folders.reduce((sum, folder) => sum + htmlBytes(folder), 0)
  if (bytes <= MAX_FOLDER_HTML_BYTES) return
  throw new BadRequestError(`description is too long (limit: ${MAX_FOLDER_HTML_BYTES} bytes as HTML, of all folders)`)
}
