import { hash } from 'node:crypto'
import type { MessageToChange } from '../../db/repositories/viewed-messages.ts'
import type { Readers, Tx } from '../../db/repositories.ts'
import { BadRequestError, ExpectationMismatchError } from '../../domain/errors.ts'
import type { UpdateMessageLogEvent } from '../../domain/events/log-event.ts'
import type { ChannelId, MessageId, UserId } from '../../domain/ids.ts'
import { MAX_HISTORY_BYTES } from '../../domain/limits.ts'
import { contentFlags, FLAG } from '../../domain/messages/flags.ts'
import type { EditHistoryEntry } from '../../domain/messages/message.ts'
import type { Schemas } from '../../generated/operations.ts'
import { accessMessageToChange } from '../../permissions/access-message.ts'
import type { Actor } from '../../permissions/actor.ts'
import { checkContentEdit } from '../../permissions/message-rules.ts'
import { readersAmong } from '../../permissions/read-channel.ts'
import { relinkAttachments } from '../attachments/link-attachments.ts'
import { withPresentImages } from '../attachments/show-images.ts'
import { calledBots, checkMentioned, mentionedUserIds } from './mentioned-users.ts'
import { originOf } from './message-audience.ts'
import type { RenderedText } from './render-content.ts'
import { checkWildcards } from './wildcard-mentions.ts'

/** Flags that depend on the content of a message. */
const CONTENT_FLAGS = FLAG.mentioned | FLAG.topic_wildcard_mentioned | FLAG.has_alert_word

export interface ContentEdit {
  readonly messageId: MessageId
  /** Hexadecimal SHA-256 of the content that the caller knows; undefined skips the comparison. */
  readonly prevContentSha256: string | undefined
}

/**
 * Checks whether `actor` may make this edit, regardless of its content. Called before the content is rendered, and
 * again in the transaction (MSG-EDIT-60 gives the order).
 *
 * @throws {InvalidMessageError} {BadRequestError} {ExpectationMismatchError}
 */
export async function accessMessageToEdit(
  read: Readers,
  actor: Actor,
  { messageId, prevContentSha256 }: ContentEdit,
): Promise<MessageToChange> {
  const viewed = await accessMessageToChange(read, actor, messageId)
  const { message } = viewed
  checkContentEdit(actor, message, read.organization)
  if (message.submessages.length > 0) throw new BadRequestError('Widgets cannot be edited.')
  if (prevContentSha256 !== undefined && prevContentSha256.toLowerCase() !== hash('sha256', message.content)) {
    throw new ExpectationMismatchError('prev_content_sha256')
  }
  return viewed
}

/** New content that has been checked and rendered. */
export interface PreparedEdit extends RenderedText {
  readonly flags: ReadonlyMap<UserId, number>
}

/** The editor, and one timestamp for rows, history and events. */
export interface Editor {
  readonly actor: Actor
  /** UNIX seconds. */
  readonly now: number
}

/** Result of an edit. */
export interface EditedMessage {
  /** Fields of the event. */
  readonly told: Pick<
    UpdateMessageLogEvent['update'],
    'orig_content' | 'orig_rendered_content' | 'content' | 'rendered_content' | 'is_me_message'
  >
  readonly mentionsChannel: boolean
  /** The editor's own files that no message refers to any more. */
  readonly detached: Schemas['Attachment'][]
}

/**
 * Finds whom the new content mentions or alerts, and checks that `actor` may mention them.
 *
 * @throws {BadRequestError} and what `checkWildcards` throws
 */
export async function prepareEdit(
  tx: Tx,
  actor: Actor,
  viewed: MessageToChange,
  content: RenderedText,
): Promise<PreparedEdit> {
  const rendered = await withPresentImages(tx, content.rendered)
  return { ...content, rendered, flags: await flagsOf(tx, actor, viewed, content) }
}

/**
 * Stores new content of a message with its flags, files and history. The caller announces it.
 *
 * @param move noted in the history, if the same request moves the message
 */
export async function editContent(
  tx: Tx,
  { actor, now }: Editor,
  viewed: MessageToChange,
  { content, rendered, flags }: PreparedEdit,
  move: EditHistoryEntry | undefined,
): Promise<EditedMessage> {
  const { message } = viewed
  const entry = {
    ...move,
    user_id: actor.id,
    timestamp: now,
    prev_content: message.content,
    prev_rendered_content: message.renderedContent,
  }
  const added = Buffer.byteLength(JSON.stringify(entry))
  if ((await tx.messages.historyBytes(message.id)) + added > MAX_HISTORY_BYTES) {
    throw new BadRequestError('This message has been edited too many times')
  }
  await tx.messages.updateContent({
    id: message.id,
    content,
    renderedContent: rendered.html,
    isMeMessage: rendered.isMeMessage,
    hasLink: rendered.hasLink,
    mentionsChannel: rendered.channelWildcard,
    lastEditedAt: now,
    entry,
  })
  await tx.readState.replaceFlags(message.id, CONTENT_FLAGS, flags)
  const topic = message.place.kind === 'channel' ? message.place.topic : null
  tx.search.replace(message.id, { topic, content, renderedContent: rendered.html })
  return {
    told: {
      orig_content: message.content,
      orig_rendered_content: message.renderedContent,
      content,
      rendered_content: rendered.html,
      is_me_message: rendered.isMeMessage,
    },
    mentionsChannel: rendered.channelWildcard,
    detached: await relinkAttachments(tx, message.id, rendered.attachmentPathIds, actor),
  }
}

/**
 * Returns the flags that the new content sets for each user. Only users who received the message and can still read it
 * get any, and bots that it calls.
 */
async function flagsOf(
  tx: Tx,
  actor: Actor,
  viewed: MessageToChange,
  { rendered, alertedUserIds }: RenderedText,
): Promise<Map<UserId, number>> {
  const { place } = viewed.message
  const participants = place.kind === 'channel' ? await checkWildcards(tx, actor, rendered, place) : []
  const mentioned = await mentionedUserIds(tx, actor, rendered)
  const flagged = [...new Set([...mentioned, ...participants, ...alertedUserIds])]
  if (flagged.length === 0) return new Map()
  const reached = new Set(
    place.kind === 'channel'
      ? await visibleReceivers(tx, viewed, place.channelId, flagged)
      : place.members.map((member) => member.id),
  )
  const reachedOf = (userIds: readonly UserId[]): UserId[] => userIds.filter((id) => reached.has(id))
  const mentionedBots = viewed.channel ? await calledBots(tx, viewed.channel, mentioned, reached) : []
  checkMentioned(tx, actor, [...reachedOf(mentioned), ...mentionedBots])
  return contentFlags({
    mentioned: reachedOf(mentioned),
    mentionedBots,
    topicMentioned: reachedOf(participants),
    alerted: reachedOf(alertedUserIds),
  })
}

async function visibleReceivers(
  tx: Tx,
  viewed: MessageToChange,
  channelId: ChannelId,
  userIds: readonly UserId[],
): Promise<UserId[]> {
  const channel = await tx.channels.byId(channelId)
  if (!channel) throw new Error(`message ${viewed.message.id} is in channel ${channelId}, which is not there`)
  const received = await tx.receipts.receivedAmong(originOf(viewed), viewed.message.id, userIds)
  const readers = await readersAmong(tx, channel, received)
  return received.filter((userId) => readers.has(userId))
}
