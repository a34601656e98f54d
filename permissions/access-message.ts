import type { Readers } from '../db/database.ts'
import type { ViewedMessage } from '../db/repositories/messages.ts'
import { InvalidMessageError } from '../domain/errors.ts'
import type { MessageId } from '../domain/ids.ts'
import { mayReadChannel, sharesHistory } from './access-channel.ts'
import type { Actor } from './actor.ts'

/** Whether `actor` may read the message: part of the conversation, or of the channel's readers now with this part of its history. */
export function mayReadMessage(actor: Pick<Actor, 'role'>, { channel, wasReceived }: ViewedMessage): boolean {
  if (!channel) return wasReceived
  return mayReadChannel(actor.role, channel, channel.isSubscribed) && (wasReceived || sharesHistory(channel))
}

/** @throws {InvalidMessageError} when there is none, and equally when the actor may not see it (MSG-GET-8, MSG-GET-9) */
export async function accessMessage(read: Readers, actor: Actor, id: MessageId): Promise<ViewedMessage> {
  const viewed = await read.messages.viewed(actor.id, id)
  if (!viewed || !mayReadMessage(actor, viewed)) throw new InvalidMessageError()
  return viewed
}
