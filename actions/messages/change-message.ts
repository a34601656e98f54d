import type { MessageToChange } from '../../db/repositories/viewed-messages.ts'
import type { Readers, Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { Schemas } from '../../generated/operations.ts'
import { accessMessageToChange } from '../../permissions/access-message.ts'
import type { Actor } from '../../permissions/actor.ts'
import { acceptMove, checkCombination, type Move, type WantedMove } from '../../permissions/message-moves.ts'
import { announceEdit, announceMove, audiencesOfMove } from './announce-message-change.ts'
import { accessMessageToEdit, type ContentEdit, type Editor, editContent, prepareEdit } from './edit-message.ts'
import { loseMovedMessages } from './lose-moved-messages.ts'
import { historyEntry, messagesToMove, moveMessages, writtenBy } from './move-messages.ts'
import { type MoveNotices, sendMoveNotices } from './move-notices.ts'
import { moveTopicPolicies } from './move-topic-policies.ts'
import type { RenderedText } from './render-content.ts'

/** The changes that PATCH /messages/{message_id} asks for. */
export interface MessageChange extends ContentEdit {
  readonly move: WantedMove
  readonly notices: MoveNotices
}

/**
 * Checks a change before its content is rendered; checked again in the transaction (MSG-EDIT-60).
 *
 * @throws {InvalidMessageError} {BadRequestError} {ExpectationMismatchError} and what `acceptMove` throws
 */
export async function accessMessageChange(
  read: Readers,
  actor: Actor,
  { move, ...edit }: Pick<MessageChange, keyof ContentEdit | 'move'>,
  hasContent: boolean,
): Promise<{ readonly viewed: MessageToChange; readonly move: Move | undefined }> {
  const viewed = hasContent
    ? await accessMessageToEdit(read, actor, edit)
    : await accessMessageToChange(read, actor, edit.messageId)
  checkCombination(viewed.message.place, { ...move, ...(hasContent && { content: true }) })
  return { viewed, move: await acceptMove(read, actor, viewed, move) }
}

/**
 * Edits a message, moves it and others, or both: rows, events and notices in one transaction.
 *
 * @returns the editor's own files that no message refers to any more, and how many messages have moved, with what
 * writtenBy adds
 */
export async function changeMessage(
  tx: Tx,
  actor: Actor,
  change: MessageChange,
  content: RenderedText | undefined,
): Promise<{ readonly detached: Schemas['Attachment'][]; readonly moved: number }> {
  const { viewed, move } = await accessMessageChange(tx, actor, change, content !== undefined)
  if (!move && !content) throw new BadRequestError('Nothing to change')
  const pauses = new Pauses()
  const prepared = content && (await prepareEdit(tx, actor, viewed, content))
  const moving = move && (await messagesToMove(tx, actor, viewed, move, pauses))
  const editor: Editor = { actor, now: tx.organization.now }
  const entry = moving && historyEntry(editor, moving, moving.oldTopic)
  const edited = prepared && (await editContent(tx, editor, viewed, prepared, entry))
  if (!moving) {
    if (edited) await announceEdit(tx, editor, viewed, edited)
    return { detached: edited?.detached ?? [], moved: 0 }
  }
  // The audience must be found before anything moves.
  const audiences = await audiencesOfMove(tx, actor, moving, pauses)
  const moved = await moveMessages(tx, editor, moving, edited && viewed.message.id, pauses)
  if (moved.to) await loseMovedMessages(tx, moved, moved.to, pauses)
  await moveTopicPolicies(tx, moved, pauses)
  await announceMove(tx, editor, moved, { viewed, edited, audiences }, pauses)
  await sendMoveNotices(tx, actor, moved, change.notices, pauses)
  return { detached: edited?.detached ?? [], moved: writtenBy(moving.messages) }
}
