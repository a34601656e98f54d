import type { MessageSight } from '../../db/repositories/message-sights.ts'
import type { Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { UpdateMessageFlagsEvent } from '../../domain/events/log-event.ts'
import { ascending, type ChannelId, type MessageId } from '../../domain/ids.ts'
import { flagAdded, flagRemoved } from '../../domain/messages/flag-events.ts'
import { EDITABLE_FLAGS, type EditableFlag, FLAG, isKnownFlag } from '../../domain/messages/flags.ts'
import { messagesInSight } from '../../permissions/access-message.ts'
import type { Actor } from '../../permissions/actor.ts'
import { tellSelf } from '../tell-self.ts'

export interface FlagChange {
  readonly op: 'add' | 'remove'
  readonly flag: EditableFlag
}

export interface FlagsResult {
  /** Messages that changed, ascending. */
  readonly changedIds: readonly MessageId[]
  /** Channels, ascending, in which nothing became unread because the actor is not subscribed. */
  readonly notSubscribedChannelIds: readonly ChannelId[]
}

/** @throws {BadRequestError} if users cannot set the flag, or it does not exist */
export function editableFlag(name: string): EditableFlag {
  const flag = EDITABLE_FLAGS.find((one) => one === name)
  if (flag) return flag
  throw new BadRequestError(isKnownFlag(name) ? `Flag not editable: '${name}'` : `Invalid flag: '${name}'`)
}

/**
 * Sets or removes one of the actor's flags on those of `ids` that the actor may read, and tells the actor's queues what
 * changed. The cost grows with the blocks of 4,096 IDs in which something becomes read, and with the rows of other
 * flags.
 */
export async function updateFlags(
  tx: Tx,
  actor: Actor,
  ids: readonly MessageId[],
  { op, flag }: FlagChange,
): Promise<FlagsResult> {
  const inSight = await messagesInSight(tx, actor, ids)
  const isUnreading = flag === 'read' && op === 'remove'
  const sights = isUnreading ? inSight.filter(({ channel }) => !channel || channel.isSubscribed) : inSight
  const changedIds =
    flag === 'read' ? await setRead(tx, actor, sights, op === 'add') : await setFlag(tx, actor, sights, op, FLAG[flag])
  if (changedIds.length > 0) {
    const details = isUnreading && { message_details: await messageDetails(tx, actor, sights, new Set(changedIds)) }
    const event = op === 'add' ? flagAdded(flag, changedIds) : { ...flagRemoved(flag, changedIds), ...details }
    tellSelf(tx, actor.id, event)
  }
  const ignored = isUnreading ? inSight.filter(({ channel }) => channel && !channel.isSubscribed) : []
  return {
    changedIds,
    notSubscribedChannelIds: ascending(ignored.flatMap(({ channelId }) => channelId ?? [])),
  }
}

/**
 * Messages that were never received count as read; they can become unread only once they are in the actor's history.
 */
async function setRead(
  tx: Tx,
  actor: Actor,
  sights: readonly MessageSight[],
  isNowRead: boolean,
): Promise<MessageId[]> {
  const others = isNowRead ? [] : sights.filter((sight) => !sight.wasReceived)
  await takeIntoHistory(tx, actor, others)
  const own = isNowRead ? sights.filter((sight) => sight.wasReceived) : sights
  const changed = await tx.readState.setRead(
    actor.id,
    own.map((sight) => sight.id),
    isNowRead,
  )
  return ascending([...changed, ...others.map((sight) => sight.id)])
}

async function takeIntoHistory(tx: Tx, actor: Actor, sights: readonly MessageSight[]): Promise<void> {
  await tx.readState.setFlags(actor.id, new Map(sights.map((sight) => [sight.id, sight.storedFlags | FLAG.historical])))
}

async function setFlag(
  tx: Tx,
  actor: Actor,
  sights: readonly MessageSight[],
  op: FlagChange['op'],
  bit: number,
): Promise<MessageId[]> {
  const changing = sights.filter((sight) => ((sight.storedFlags & bit) === 0) === (op === 'add'))
  const historical = changing.filter((sight) => !sight.wasReceived)
  await tx.readState.setRead(
    actor.id,
    historical.map((sight) => sight.id),
    true,
  )
  const flags = changing.map(({ id, storedFlags, wasReceived }) => {
    const changed = op === 'add' ? storedFlags | bit : storedFlags & ~bit
    return [id, wasReceived ? changed : changed | FLAG.historical] as const
  })
  await tx.readState.setFlags(actor.id, new Map(flags))
  return changing.map((sight) => sight.id)
}

type Details = NonNullable<Extract<UpdateMessageFlagsEvent, { op: 'remove' }>['message_details']>

/** Where the messages are, for clients that have not loaded them. */
async function messageDetails(
  tx: Tx,
  actor: Actor,
  sights: readonly MessageSight[],
  changed: ReadonlySet<MessageId>,
): Promise<Details> {
  const told = sights.filter((sight) => changed.has(sight.id))
  const members = await tx.directGroups.members(told.flatMap(({ directGroupId }) => directGroupId ?? []))
  return Object.fromEntries(
    told.map((sight) => {
      const isMentioned =
        (sight.storedFlags & (FLAG.mentioned | FLAG.topic_wildcard_mentioned)) !== 0 ||
        (sight.mentionsChannel && !sight.isHistorical)
      const place =
        sight.directGroupId === null
          ? { type: 'stream' as const, stream_id: sight.channelId ?? 0, topic: sight.topic ?? '' }
          : {
              type: 'private' as const,
              user_ids: (members.get(sight.directGroupId) ?? []).filter((id) => id !== actor.id) as number[],
            }
      return [sight.id, { ...place, ...(isMentioned && { mentioned: true as const }) }]
    }),
  )
}
