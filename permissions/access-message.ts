import type { MessageHead, WantedTexts } from '../db/repositories/message-pages.ts'
import type { MessageVisibility } from '../db/repositories/message-visibility.ts'
import type { MessageToChange, ViewedMessage } from '../db/repositories/viewed-messages.ts'
import type { Readers } from '../db/repositories.ts'
import { ArchivedChannelError, InvalidMessageError } from '../domain/errors.ts'
import type { ChannelId, MessageId } from '../domain/ids.ts'
import { mayReadChannel, sharesHistory } from './access-channel.ts'
import type { Actor } from './actor.ts'
import { openedByGroups } from './read-channel.ts'

type Access = Pick<MessageHead, 'channel' | 'channelId' | 'wasReceived'>

function accessOf(viewed: MessageToChange): Access {
  const { place } = viewed.message
  return { ...viewed, channelId: place.kind === 'channel' ? place.channelId : null }
}

/**
 * Whether `actor` may read the message: as a member of the conversation, or as a present reader of the channel with
 * this part of its history.
 */
function mayReadMessage(
  actor: Pick<Actor, 'role'>,
  { channel, channelId, wasReceived }: Access,
  opened: ReadonlySet<ChannelId>,
): boolean {
  if (!channel || channelId === null) return wasReceived
  const isReader = mayReadChannel(actor.role, channel, channel.isSubscribed) || opened.has(channelId)
  return isReader && (wasReceived || sharesHistory(channel))
}

/**
 * Returns the channels of `messages` that `actor` can read through groups. Needs no query if all can be read anyway.
 */
async function openedChannels(
  read: Readers,
  actor: Actor,
  messages: readonly Access[],
): Promise<ReadonlySet<ChannelId>> {
  const closed = messages.flatMap(({ channel, channelId }) =>
    channel && channelId !== null && !mayReadChannel(actor.role, channel, channel.isSubscribed) ? [channelId] : [],
  )
  if (closed.length === 0) return new Set()
  return openedByGroups(read, actor, await read.channels.byIds([...new Set(closed)]))
}

/** Returns undefined if it does not exist, or the actor may not see it. */
export async function findMessage(read: Readers, actor: Actor, id: MessageId): Promise<ViewedMessage | undefined> {
  return ifReadable(read, actor, await read.messages.viewed(actor.id, id))
}

async function ifReadable<Viewed extends MessageToChange>(
  read: Readers,
  actor: Actor,
  viewed: Viewed | undefined,
): Promise<Viewed | undefined> {
  if (!viewed) return undefined
  const message = accessOf(viewed)
  return mayReadMessage(actor, message, await openedChannels(read, actor, [message])) ? viewed : undefined
}

/**
 * Returns the message for a change. Messages in archived channels cannot be changed.
 *
 * @throws {InvalidMessageError} as `accessMessage`; {ArchivedChannelError} (REACT-11)
 */
export async function accessMessageToChange(read: Readers, actor: Actor, id: MessageId): Promise<MessageToChange> {
  const viewed = await ifReadable(read, actor, await read.messages.toChange(actor.id, id))
  if (!viewed) throw new InvalidMessageError()
  if (viewed.channel?.isArchived) throw new ArchivedChannelError()
  return viewed
}

/** @throws {InvalidMessageError} if it does not exist, or the actor may not see it (MSG-GET-8, MSG-GET-9) */
export async function accessMessage(read: Readers, actor: Actor, id: MessageId): Promise<ViewedMessage> {
  const viewed = await findMessage(read, actor, id)
  if (!viewed) throw new InvalidMessageError()
  return viewed
}

/** Returns those of `ids` that exist and that `actor` may read, by ascending ID. */
export async function readableHeads(
  read: Readers,
  actor: Actor,
  ids: readonly MessageId[],
  wanted: WantedTexts,
): Promise<MessageHead[]> {
  const heads = await read.messagePages.heads(actor, ids, wanted)
  const opened = await openedChannels(read, actor, heads)
  return heads.filter((head) => mayReadMessage(actor, head, opened))
}

/**
 * Returns those of `ids` that `actor` may read, by ascending ID, without their contents; others are left out as if they
 * did not exist.
 */
export async function visibleMessages(
  read: Readers,
  actor: Actor,
  ids: readonly MessageId[],
): Promise<MessageVisibility[]> {
  const messages = await read.messageVisibility.of(actor.id, ids)
  const opened = await openedChannels(read, actor, messages)
  return messages.filter((message) => mayReadMessage(actor, message, opened))
}
