import type { MessageToChange } from '../../db/repositories/viewed-messages.ts'
import type { Tx } from '../../db/repositories.ts'
import type { Attachment } from '../../domain/attachments/attachment.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import type { Audience } from '../../domain/events/audience.ts'
import type { DeleteMessageLogEvent } from '../../domain/events/log-event.ts'
import type { ChannelId, MessageId } from '../../domain/ids.ts'
import { flagRemoved } from '../../domain/messages/flag-events.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { accessMessageToChange } from '../../permissions/access-message.ts'
import type { Actor } from '../../permissions/actor.ts'
import { checkOwnDeletion, mayDeleteAny } from '../../permissions/message-rules.ts'
import { announceFiles, unlinkAttachments } from '../attachments/link-attachments.ts'
import { notificationBot } from '../bots/notification-bot.ts'
import { changeFirstMessage } from './first-message.ts'
import {
  audienceOfRun,
  type ChannelOfRun,
  messageAudience,
  originOf,
  runsOf,
  type Sent,
  withGroupReaders,
} from './message-audience.ts'

/** Deletes a message and everything that refers to it. @throws {BadRequestError} */
export async function deleteMessage(tx: Tx, actor: Actor, id: MessageId): Promise<void> {
  const viewed = await accessMessageToChange(tx, actor, id)
  const { message } = viewed
  const { place } = message
  const channel = place.kind === 'channel' ? await tx.channels.byId(place.channelId) : undefined
  if (!mayDeleteAny(actor, channel, tx.organization)) {
    const [sender = { id: message.sender.id, botOwnerId: null }] = await tx.users.byIds([message.sender.id])
    checkOwnDeletion(actor, { sender, sentAt: message.sentAt }, channel, tx.organization)
  }
  await announceFiles(tx, await removeTogether(tx, [viewed], actor))
  if (channel?.firstMessageId === id) await changeFirstMessage(tx, channel.id)
}

/**
 * Deletes messages on behalf of the server, not of a user, and announces those together that have the same audience.
 *
 * @param ids ascending
 */
export async function removeMessages(tx: Tx, ids: readonly MessageId[]): Promise<void> {
  const pauses = new Pauses()
  const channelIds = new Set<ChannelId>()
  const all: MessageToChange[] = []
  // The viewer makes no difference here.
  const { id: viewer } = await notificationBot(tx)
  for (const id of ids) {
    const viewed = await tx.messages.toChange(viewer, id)
    if (!viewed) throw new Error(`message ${id} is in the table and was not found`)
    if (viewed.message.place.kind === 'channel') channelIds.add(viewed.message.place.channelId)
    all.push(viewed)
    await pauses.letOthers()
  }
  const files: Attachment[] = []
  const placeOf = ({ message: { place } }: MessageToChange): string | number =>
    place.kind === 'channel' ? `${place.channelId}>${place.topic}` : place.groupId
  for (const together of Map.groupBy(all, placeOf).values()) {
    files.push(...(await removeTogether(tx, together)))
    await pauses.letOthers()
  }
  await announceFiles(tx, files)
  for (const channelId of channelIds) await changeFirstMessage(tx, channelId)
}

interface RunsOfTopic {
  readonly channel: ChannelOfRun
  readonly topic: string
  /** Ascending; at least one. */
  readonly messages: readonly Sent[]
}

/** Messages of a topic that somebody deletes. */
export interface TopicPart extends RunsOfTopic {
  readonly channel: Channel
}

/** Deletes messages of a topic, and announces those together that have the same audience. */
export async function removeOfTopic(tx: Tx, actor: Actor, { channel, topic, messages }: TopicPart): Promise<void> {
  await announceFiles(tx, await removeInTopic(tx, { channel, topic, messages }, actor))
  if (messages.some(({ id }) => id === channel.firstMessageId)) await changeFirstMessage(tx, channel.id)
}

/** @param all in the same place, ascending; at least one. @returns their files */
async function removeTogether(tx: Tx, all: readonly MessageToChange[], actor?: Actor): Promise<Attachment[]> {
  const [one] = all
  if (!one) throw new RangeError('a removal of no messages')
  const { place } = one.message
  const ids = all.map(({ message }) => message.id)
  if (place.kind === 'direct') {
    return remove(tx, { ids, place: { message_type: 'private' } }, heardBy(actor, await messageAudience(tx, one)))
  }
  if (!one.channel) throw new Error(`message ${one.message.id} came without its channel`)
  const messages = all.map((viewed) => ({ id: viewed.message.id, originId: originOf(viewed) }))
  return removeInTopic(tx, { channel: { ...one.channel, id: place.channelId }, topic: place.topic, messages }, actor)
}

/** @returns the files of the messages */
async function removeInTopic(tx: Tx, { channel, topic, messages }: RunsOfTopic, actor?: Actor): Promise<Attachment[]> {
  const place = { message_type: 'stream', stream_id: channel.id, topic } as const
  const readable = await withGroupReaders(tx, channel)
  const files: Attachment[] = []
  for (const run of await runsOf(tx, [channel], messages)) {
    const ids = run.map(({ id }) => id)
    files.push(...(await remove(tx, { ids, place }, heardBy(actor, await audienceOfRun(tx, readable, run)))))
  }
  return files
}

/** The deleting user's other clients are told too, even without a subscription. */
function heardBy(actor: Actor | undefined, hearing: Audience): Audience {
  if (!actor) return hearing
  return { to: 'any', of: [hearing, { to: 'users', userIds: [actor.id] }] }
}

interface Removal {
  /** Ascending; at least one. */
  readonly ids: readonly MessageId[]
  readonly place: Omit<DeleteMessageLogEvent, 'type' | 'message_ids'>
}

/**
 * @param audience found before the messages are deleted, because it depends on rows that are deleted with them
 * @returns the files of the messages
 */
async function remove(tx: Tx, { ids, place }: Removal, audience: Audience): Promise<Attachment[]> {
  const starred = await tx.readState.starredBy(ids)
  const files = await unlinkAttachments(tx, ids)
  await tx.messages.remove(ids)
  for (const id of ids) tx.search.remove(id)
  tx.events.append({ type: 'delete_message', ...place, message_ids: [...ids] }, audience, ids.length)
  for (const same of Map.groupBy(starred, ([, messages]) => messages.join()).values()) {
    const [[, messages] = [0, []]] = same
    announceStarsRemoved(tx, messages, { to: 'users', userIds: same.map(([userId]) => userId) }, audience)
  }
  return files
}

/**
 * Users who have starred the messages but can no longer see them are told that the stars are gone, and nothing about
 * the messages.
 */
function announceStarsRemoved(tx: Tx, messages: readonly MessageId[], of: Audience, without: Audience): void {
  tx.events.append(flagRemoved('starred', messages), { to: 'difference', of, without })
}
