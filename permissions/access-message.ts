import type { Readers } from '../db/database.ts'
import type { MessageSight } from '../db/repositories/message-sights.ts'
import type { ViewedMessage } from '../db/repositories/messages.ts'
import { ArchivedChannelError, InvalidMessageError } from '../domain/errors.ts'
import type { MessageId } from '../domain/ids.ts'
import { mayReadChannel, sharesHistory } from './access-channel.ts'
import type { Actor } from './actor.ts'

/** Whether `actor` may read the message: part of the conversation, or of the channel's readers now with this part of its history. */
function mayReadMessage(
  actor: Pick<Actor, 'role'>,
  { channel, wasReceived }: Pick<ViewedMessage, 'channel' | 'wasReceived'>,
): boolean {
  if (!channel) return wasReceived
  return mayReadChannel(actor.role, channel, channel.isSubscribed) && (wasReceived || sharesHistory(channel))
}

/** Undefined when there is none, and equally when the actor may not see it. */
export async function findMessage(read: Readers, actor: Actor, id: MessageId): Promise<ViewedMessage | undefined> {
  const viewed = await read.messages.viewed(actor.id, id)
  return viewed && mayReadMessage(actor, viewed) ? viewed : undefined
}

/**
 * The message, to change something of it: what is in an archived channel stays as it is.
 * @throws {InvalidMessageError} as `accessMessage`; {ArchivedChannelError} (REACT-11)
 */
export async function accessMessageToChange(read: Readers, actor: Actor, id: MessageId): Promise<ViewedMessage> {
  const viewed = await accessMessage(read, actor, id)
  if (viewed.channel?.isArchived) throw new ArchivedChannelError()
  return viewed
}

/** @throws {InvalidMessageError} when there is none, and equally when the actor may not see it (MSG-GET-8, MSG-GET-9) */
export async function accessMessage(read: Readers, actor: Actor, id: MessageId): Promise<ViewedMessage> {
  const viewed = await findMessage(read, actor, id)
  if (!viewed) throw new InvalidMessageError()
  return viewed
}

/** Those of `ids` that `actor` may read, by ascending id, without their contents; the others are left out as if there were none. */
export async function messagesInSight(read: Readers, actor: Actor, ids: readonly MessageId[]): Promise<MessageSight[]> {
  return (await read.messageSights.of(actor.id, ids)).filter((sight) => mayReadMessage(actor, sight))
}
