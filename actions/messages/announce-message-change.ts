import type { TopicMessage } from '../../db/repositories/topics.ts'
import type { MessageToChange } from '../../db/repositories/viewed-messages.ts'
import type { Tx } from '../../db/repositories.ts'
import type { Audience } from '../../domain/events/audience.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { EditedMessage, Editor } from './edit-message.ts'
import { marksAfterChange } from './marks-after-change.ts'
import {
  audienceOfRun,
  messageAudience,
  originOf,
  readersOfRun,
  receptionOf,
  runsOf,
  withGroupReaders,
} from './message-audience.ts'
import type { Moved, Moving } from './move-messages.ts'

/** Announces new content of a message. */
export async function announceEdit(
  tx: Tx,
  editor: Editor,
  viewed: MessageToChange,
  edited: EditedMessage,
): Promise<void> {
  const { place, id } = viewed.message
  const channel = place.kind === 'channel' && { stream_id: place.channelId, stream_name: place.channelName }
  const update = { ...changeOf(editor, [id], id), ...channel, ...edited.told }
  const marks = await marksAfterChange(tx, receptionOf(viewed), edited.mentionsChannel)
  tx.events.append({ type: 'update_message', update, ...marks }, await messageAudience(tx, viewed))
}

/** Messages that have the same audience, and that audience. */
interface ToldRun {
  /** Ascending; at least one. */
  readonly run: readonly TopicMessage[]
  readonly audience: Audience
  /** Everybody who can read the messages in their new channel; undefined if the channel stays. */
  readonly readers: Audience | undefined
}

/** Returns the audiences of a move, by the present channel and by the new one; call it before anything moves. */
export async function audiencesOfMove(tx: Tx, actor: Actor, moving: Moving, pauses: Pauses): Promise<ToldRun[]> {
  const { from, to, messages } = moving
  const [source, target] = [await withGroupReaders(tx, from), to && (await withGroupReaders(tx, to))]
  const told: ToldRun[] = []
  for (const run of await runsOf(tx, to ? [from, to] : [from], messages)) {
    const audience = await audienceOfRun(tx, source, run, pauses)
    told.push({
      run,
      // The other clients of the user who moves messages are told too, even without a subscription.
      audience: { to: 'any', of: [audience, { to: 'users', userIds: [actor.id] }] },
      readers: target ? readersOfRun(target, run) : undefined,
    })
    await pauses.letOthers()
  }
  return told
}

interface Change {
  readonly viewed: MessageToChange
  readonly edited: EditedMessage | undefined
  readonly audiences: readonly ToldRun[]
}

/**
 * Announces a move to users who can still read the messages. Users who cannot are told that the messages were deleted,
 * so that they learn neither the new place nor its name. Users who could not read the messages before, but can now, are
 * told nothing.
 */
export async function announceMove(
  tx: Tx,
  editor: Editor,
  moved: Moved,
  { viewed, edited, audiences }: Change,
  pauses: Pauses,
): Promise<void> {
  const { from, to, oldTopic, newTopic, mode } = moved
  const move = {
    stream_id: from.id,
    stream_name: from.name,
    propagate_mode: mode,
    orig_subject: oldTopic,
    ...(newTopic !== oldTopic && {
      subject: newTopic,
      topic_links: [...tx.organization.linkifiers.topicLinks(newTopic)],
    }),
    ...(to && { new_stream_id: to.id }),
  }
  for (const { run, audience, readers } of audiences) {
    const ids = run.map(({ id }) => id)
    const named = run.find(({ id }) => id === viewed.message.id) ?? run[0]
    if (!named) continue
    const isEdited = edited !== undefined && named.id === viewed.message.id
    const marks = await marksAfterChange(
      tx,
      { messageId: named.id, originChannelId: isEdited ? originOf(viewed) : named.originId },
      isEdited ? edited.mentionsChannel : named.mentionsChannel,
    )
    const update = { ...changeOf(editor, ids, named.id), ...move, ...(isEdited && edited.told) }
    const lost: Audience | undefined = readers && { to: 'difference', of: audience, without: readers }
    if (lost) {
      const deleted = { message_type: 'stream', message_ids: ids, stream_id: from.id, topic: oldTopic } as const
      tx.events.append({ type: 'delete_message', ...deleted }, lost, ids.length)
    }
    const kept: Audience = lost ? { to: 'difference', of: audience, without: lost } : audience
    tx.events.append({ type: 'update_message', update, ...marks }, kept)
    await pauses.letOthers()
  }
}

function changeOf({ actor, now }: Editor, ids: readonly MessageId[], id: MessageId) {
  return {
    user_id: actor.id,
    rendering_only: false,
    message_id: id,
    message_ids: [...ids],
    edit_timestamp: now,
  }
}
