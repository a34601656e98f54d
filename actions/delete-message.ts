import { Pauses } from '../db/pauses.ts'
import type { ViewedMessage } from '../db/repositories/viewed-messages.ts'
import type { Tx } from '../db/repositories.ts'
import type { Audience } from '../domain/events/audience.ts'
import type { ChannelId, MessageId } from '../domain/ids.ts'
import { flagRemoved } from '../domain/messages/flag-events.ts'
import { accessMessageToChange } from '../permissions/access-message.ts'
import type { Actor } from '../permissions/actor.ts'
import { checkOwnDeletion, mayDeleteAny } from '../permissions/message-rules.ts'
import { changeFirstMessage } from './first-message.ts'
import { unlinkAttachments } from './link-attachments.ts'
import { messageAudience } from './message-audience.ts'

/**
 * Deletes a message for good, with everything that refers to it.
 * @throws {BadRequestError} with the reason
 */
export async function deleteMessage(tx: Tx, actor: Actor, id: MessageId): Promise<void> {
  const viewed = await accessMessageToChange(tx, actor, id)
  const { message } = viewed
  const { place } = message
  const channel = place.kind === 'channel' ? await tx.channels.byId(place.channelId) : undefined
  if (!mayDeleteAny(actor, channel, tx.organization)) {
    const [sender = { id: message.sender.id, botOwnerId: null }] = await tx.users.byIds([message.sender.id])
    checkOwnDeletion(actor, { sender, sentAt: message.sentAt }, channel, tx.organization)
  }
  await remove(tx, viewed, actor)
  if (channel?.firstMessageId === id) await changeFirstMessage(tx, channel.id)
}

/** Deletes messages that nobody asks to be deleted. Whoever looks at them makes no difference: an owner does. */
export async function removeMessages(tx: Tx, ids: readonly MessageId[]): Promise<void> {
  const pauses = new Pauses()
  const channelIds = new Set<ChannelId>()
  const [owner] = await tx.users.activeOwnerIds()
  for (const id of ids) {
    const viewed = owner && (await tx.messages.viewed(owner, id))
    if (!viewed) throw new Error(`message ${id} is in the table and was not found`)
    if (viewed.message.place.kind === 'channel') channelIds.add(viewed.message.place.channelId)
    await remove(tx, viewed)
    await pauses.letOthers()
  }
  for (const channelId of channelIds) await changeFirstMessage(tx, channelId)
}

/** @param actor who deletes it and hears of it in their other clients, also where they do not follow the channel */
async function remove(tx: Tx, viewed: ViewedMessage, actor?: Actor): Promise<void> {
  const { id, place } = viewed.message
  // As long as it is there: whoever has it in sight is told by rows that go with it.
  const hearing = await messageAudience(tx, viewed)
  const audience: Audience = actor ? { to: 'any', of: [hearing, { to: 'users', userIds: [actor.id] }] } : hearing
  const starredBy = await tx.readState.starredBy(id)
  await unlinkAttachments(tx, [id])
  await tx.messages.remove(id)
  tx.search.remove(id)
  tx.events.append(
    {
      type: 'delete_message',
      message_type: place.kind === 'channel' ? 'stream' : 'private',
      message_ids: [id],
      ...(place.kind === 'channel' && { stream_id: place.channelId, topic: place.topic }),
    },
    audience,
  )
  if (starredBy.length > 0) tellStarGone(tx, id, { to: 'users', userIds: starredBy }, audience)
}

/** Whoever has starred it and may see it no more learns that the star is gone, and nothing of the message. */
function tellStarGone(tx: Tx, id: MessageId, of: Audience, without: Audience): void {
  tx.events.append(flagRemoved('starred', [id]), { to: 'difference', of, without })
}
