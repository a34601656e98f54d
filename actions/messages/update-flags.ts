import type { MessageVisibility } from '../../db/repositories/message-visibility.ts'
import type { Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { UpdateMessageFlagsEvent } from '../../domain/events/log-event.ts'
import { ascending, type ChannelId, type MessageId } from '../../domain/ids.ts'
import { flagAdded, flagRemoved } from '../../domain/messages/flag-events.ts'
import { EDITABLE_FLAGS, type EditableFlag, FLAG, isKnownFlag } from '../../domain/messages/flags.ts'
import { visibleMessages } from '../../permissions/access-message.ts'
import type { Actor } from '../../permissions/actor.ts'
import { announceToSelf } from '../announce-to-self.ts'

export interface FlagChange {
  readonly op: 'add' | 'remove'
  readonly flag: EditableFlag
}

export interface FlagsResult {
  /** Messages that changed, ascending. */
  readonly changedIds: readonly MessageId[]
  /** Channels, ascending, in which nothing became unread because the actor is not subscribed, or they are archived. */
  readonly notSubscribedChannelIds: readonly ChannelId[]
}

/** @throws {BadRequestError} if users cannot set the flag, or it does not exist */
export function editableFlag(name: string): EditableFlag {
  const flag = EDITABLE_FLAGS.find((one) => one === name)
  if (flag) return flag
  throw new BadRequestError(isKnownFlag(name) ? `Flag not editable: '${name}'` : `Invalid flag: '${name}'`)
}

/**
 * Sets one of the actor's flags on those of `ids` that the actor may read, or removes it, and tells the actor's queues
 * what changed. The cost grows with the blocks of 4,096 IDs in which something becomes read, and with the rows of other
 * flags.
 */
export async function updateFlags(
  tx: Tx,
  actor: Actor,
  ids: readonly MessageId[],
  { op, flag }: FlagChange,
): Promise<FlagsResult> {
  // A star on a message that the actor has lost stays in POST /register, so they can remove it.
  const isUnflagging = op === 'remove' && flag !== 'read'
  const visible = await (isUnflagging ? tx.messageVisibility.of(actor.id, ids) : visibleMessages(tx, actor, ids))
  const isUnreading = flag === 'read' && op === 'remove'
  const messages = isUnreading ? visible.filter((message) => !staysRead(message)) : visible
  const changedIds =
    flag === 'read'
      ? await setRead(tx, actor, messages, op === 'add')
      : await setFlag(tx, actor, messages, op, FLAG[flag])
  if (changedIds.length > 0) {
    const details = isUnreading && { message_details: await messageDetails(tx, actor, messages, new Set(changedIds)) }
    const event = op === 'add' ? flagAdded(flag, changedIds) : { ...flagRemoved(flag, changedIds), ...details }
    announceToSelf(tx, actor.id, event)
  }
  const ignored = isUnreading ? visible.filter(staysRead) : []
  return {
    changedIds,
    notSubscribedChannelIds: ascending(ignored.flatMap(({ channelId }) => channelId ?? [])),
  }
}

/** POST /register counts nothing in such a channel as unread. */
function staysRead({ channel }: MessageVisibility): boolean {
  return channel !== null && (!channel.isSubscribed || channel.isArchived)
}

/**
 * Messages that were never received count as read; they can become unread only once they are in the actor's history.
 */
async function setRead(
  tx: Tx,
  actor: Actor,
  messages: readonly MessageVisibility[],
  isNowRead: boolean,
): Promise<MessageId[]> {
  const others = isNowRead ? [] : messages.filter((message) => !message.wasReceived)
  await takeIntoHistory(tx, actor, others)
  const own = isNowRead ? messages.filter((message) => message.wasReceived) : messages
  const changed = await tx.readState.setRead(
    actor.id,
    own.map((message) => message.id),
    isNowRead,
  )
  return ascending([...changed, ...others.map((message) => message.id)])
}

async function takeIntoHistory(tx: Tx, actor: Actor, messages: readonly MessageVisibility[]): Promise<void> {
  await tx.readState.setFlags(
    actor.id,
    new Map(messages.map((message) => [message.id, message.storedFlags | FLAG.historical])),
  )
}

async function setFlag(
  tx: Tx,
  actor: Actor,
  messages: readonly MessageVisibility[],
  op: FlagChange['op'],
  bit: number,
): Promise<MessageId[]> {
  const changing = messages.filter((message) => ((message.storedFlags & bit) === 0) === (op === 'add'))
  const historical = changing.filter((message) => !message.wasReceived)
  await tx.readState.setRead(
    actor.id,
    historical.map((message) => message.id),
    true,
  )
  const flags = changing.map(({ id, storedFlags, wasReceived }) => {
    const changed = op === 'add' ? storedFlags | bit : storedFlags & ~bit
    return [id, wasReceived ? changed : changed | FLAG.historical] as const
  })
  await tx.readState.setFlags(actor.id, new Map(flags))
  return changing.map((message) => message.id)
}

type Details = NonNullable<Extract<UpdateMessageFlagsEvent, { op: 'remove' }>['message_details']>

/** Returns the places of the messages, for clients that have not loaded them. */
async function messageDetails(
  tx: Tx,
  actor: Actor,
  messages: readonly MessageVisibility[],
  changed: ReadonlySet<MessageId>,
): Promise<Details> {
  const told = messages.filter((message) => changed.has(message.id))
  const members = await tx.directGroups.members(told.flatMap(({ directGroupId }) => directGroupId ?? []))
  return Object.fromEntries(
    told.map((message) => {
      const isMentioned =
        (message.storedFlags & (FLAG.mentioned | FLAG.topic_wildcard_mentioned)) !== 0 ||
        (message.mentionsChannel && !message.isHistorical)
      const place =
        message.directGroupId === null
          ? { type: 'stream' as const, stream_id: message.channelId ?? 0, topic: message.topic ?? '' }
          : {
              type: 'private' as const,
              user_ids: (members.get(message.directGroupId) ?? []).filter((id) => id !== actor.id) as number[],
            }
      return [message.id, { ...place, ...(isMentioned && { mentioned: true as const }) }]
    }),
  )
}
