import type { TopicMessage } from '../../db/repositories/topics.ts'
import type { MessageToChange } from '../../db/repositories/viewed-messages.ts'
import type { Tx } from '../../db/repositories.ts'
import { BadRequestError, CodedError } from '../../domain/errors.ts'
import type { MessageId, TopicId } from '../../domain/ids.ts'
import { MAX_HISTORY_BYTES, MAX_MOVED_MESSAGES } from '../../domain/limits.ts'
import type { EditHistoryEntry } from '../../domain/messages/message.ts'
import { topicKey } from '../../domain/text/text-keys.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { sharesHistory } from '../../permissions/access-channel.ts'
import { visibleMessages } from '../../permissions/access-message.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { Move } from '../../permissions/message-moves.ts'
import type { Editor } from './edit-message.ts'

const HISTORY_BYTES_A_MESSAGE = 4096
const HISTORY_BYTES_TOGETHER = 16 * 1024

/** A move with its messages and its destination. */
export interface Moving extends Move {
  /** Ascending; at least one. */
  readonly messages: readonly TopicMessage[]
}

/** A move that was carried out. */
export interface Moved extends Moving {
  /** Whether the old topic is now empty. */
  readonly isWholeTopic: boolean
  /** Whether the new topic already had messages. */
  readonly joinsOthers: boolean
}

/**
 * Returns the messages that move together with the named one: those of its topic that `actor` may read.
 *
 * @throws {CodedError} if all are requested and some are too old for `actor` (ERR-16 to ERR-19); {BadRequestError}
 */
export async function messagesToMove(
  tx: Tx,
  actor: Actor,
  { message }: Pick<MessageToChange, 'message'>,
  move: Move,
  pauses: Pauses,
): Promise<Moving> {
  const messages = await notThereYet(tx, move, await topicMessages(tx, actor, message.id, move, pauses))
  const { limit } = move
  if (move.mode === 'change_all' && limit !== null) {
    const earliest = tx.organization.now - limit
    const allowed = messages.filter(({ sentAt }) => sentAt >= earliest)
    // IDs grow with time, so these are the newest.
    if (allowed.length < messages.length) {
      const text = `You may move only the ${allowed.length} newest of the ${messages.length} messages of this topic`
      const data = {
        first_message_id_allowed_to_move: allowed[0]?.id ?? null,
        total_messages_in_topic: messages.length,
        total_messages_allowed_to_move: allowed.length,
      }
      throw new CodedError('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', text, { data })
    }
  }
  return { ...move, messages }
}

/** Leaves out messages that already have the new spelling of the same topic. */
async function notThereYet(
  tx: Tx,
  { from, to, newTopic }: Move,
  messages: readonly TopicMessage[],
): Promise<readonly TopicMessage[]> {
  if (to) return messages
  const present = (await tx.topics.spellings(from.id, newTopic)).find(({ name }) => name === newTopic)
  return messages.filter(({ topicId }) => topicId !== present?.id)
}

async function topicMessages(
  tx: Tx,
  actor: Actor,
  id: MessageId,
  { from, oldTopic, mode }: Move,
  pauses: Pauses,
): Promise<readonly TopicMessage[]> {
  if (mode === 'change_one') return [await tx.topics.messageOf(id)]
  const least = mode === 'change_later' ? id : 0
  const all = await tx.topics.messages(from.id, oldTopic, { least, most: MAX_MOVED_MESSAGES }, pauses)
  if (all.length > MAX_MOVED_MESSAGES) {
    throw new BadRequestError(`More than ${MAX_MOVED_MESSAGES} messages cannot be moved at once`)
  }
  if (writtenBy(all) > MAX_MOVED_MESSAGES) {
    throw new BadRequestError('These messages have too many former versions to be moved at once: move some of them')
  }
  if (sharesHistory(from)) return all
  const ids = all.map((one) => one.id)
  const visible = new Set((await visibleMessages(tx, actor, ids)).map(({ id }) => id))
  return all.filter((one) => visible.has(one.id))
}

/**
 * Returns the cost of a move, counted in messages. Each message writes its former versions again, and a fixed number of
 * bytes of these counts as another message.
 */
export function writtenBy(messages: readonly TopicMessage[]): number {
  return messages.reduce((sum, { historyBytes }) => sum + 1 + Math.floor(historyBytes / HISTORY_BYTES_A_MESSAGE), 0)
}

/**
 * Moves messages and extends their histories. Only rows of messages and topics change: who received a message follows
 * from where it was sent, who may read it from where it is (docs/decisions, "No row per reader").
 *
 * @param edited the message whose history has been written already
 */
export async function moveMessages(
  tx: Tx,
  editor: Editor,
  moving: Moving,
  edited: MessageId | undefined,
  pauses: Pauses,
): Promise<Moved> {
  const { from, to, oldTopic, newTopic, change, messages } = moving
  const newest = messages.at(-1)
  if (!newest) throw new RangeError('a move of no messages')
  const channelId = (to ?? from).id
  const isSameTopic = to === null && topicKey(oldTopic) === topicKey(newTopic)
  const joinsOthers = !isSameTopic && (await tx.topics.exists(channelId, newTopic))
  const nameOf = new Map((await tx.topics.spellings(from.id, oldTopic)).map(({ id, name }) => [id, name]))
  const topicId = await tx.topics.enter(channelId, newTopic, newest.id)
  const isMove = change.isOther || to !== null
  const left = Map.groupBy(messages, (one) => one.topicId)
  for (const [formerId, ofTopic] of left) {
    const entry = historyEntry(editor, moving, nameOf.get(formerId) ?? oldTopic)
    const place = { channelId, topicId, movedAt: isMove ? editor.now : undefined }
    const isTraced = ({ id, historyBytes }: TopicMessage) => id !== edited && historyBytes <= MAX_HISTORY_BYTES
    // Long histories are written one at a time, because others are served between statements.
    const kindOf = (one: TopicMessage) => `${isTraced(one)} ${one.historyBytes > HISTORY_BYTES_TOGETHER ? one.id : ''}`
    for (const together of Map.groupBy(ofTopic, kindOf).values()) {
      const isKept = together.every(isTraced)
      await tx.messages.move(
        together.map(({ id }) => id),
        { ...place, entry: isKept || to ? entry : undefined, isEntryAll: !isKept },
        pauses,
      )
    }
  }
  await tx.topics.leave([...left.keys()].filter((id: TopicId) => id !== topicId))
  await tx.search.defer(
    messages.map(({ id }) => id),
    pauses,
  )
  const isWholeTopic = isSameTopic || !(await tx.topics.exists(from.id, oldTopic))
  return { ...moving, isWholeTopic, joinsOthers }
}

/**
 * Returns what a move adds to the history of a message (MSG-HIST-6 to MSG-HIST-9). @param oldTopic in the message's
 * spelling
 */
export function historyEntry(
  { actor, now }: Editor,
  { from, to, newTopic }: Pick<Move, 'from' | 'to' | 'newTopic'>,
  oldTopic: string,
): EditHistoryEntry {
  return {
    user_id: actor.id,
    timestamp: now,
    ...(to && { prev_stream: from.id, stream: to.id }),
    ...(oldTopic !== newTopic && { prev_topic: oldTopic, topic: newTopic }),
  }
}
