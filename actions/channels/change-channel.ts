import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { channelUpdates, ofArchived } from '../../domain/channels/channel-update.ts'
import { toWireChannel } from '../../domain/channels/wire-channel.ts'
import type { Audience } from '../../domain/events/audience.ts'
import { sharesHistory } from '../../permissions/access-channel.ts'
import { announceUnarchived } from './announce-unarchived.ts'
import { disappearance, knowersOf } from './channel-audience.ts'
import { hideHistory } from './hide-history.ts'

/**
 * Changes the settings of a channel and announces the changes. Users who knew the channel and still may get an event
 * for each setting; users who may know it only now get the channel and its subscribers; users who no longer may are
 * told that it is gone. Unchanged settings are neither written nor announced. The caller has checked that all this is
 * allowed.
 */
export async function changeChannel(tx: Tx, before: Channel, after: Channel): Promise<void> {
  const updates = channelUpdates(before, after)
  if (updates.length === 0) return
  const [knew, knows] = [await knowersOf(tx, before), await knowersOf(tx, after)]
  await tx.channels.update(after)
  if (sharesHistory(before) && !sharesHistory(after)) await hideHistory(tx, after.id)
  const isAudienceUnchanged = isDeepStrictEqual(knew, knows)
  const stay = isAudienceUnchanged ? knows : intersection(knew, knows)
  for (const update of updates) tx.events.append(update, stay)
  if (before.isArchived && !after.isArchived) await announceUnarchived(tx, after, stay)
  if (isAudienceUnchanged) return
  tx.events.append(disappearance(before), { to: 'difference', of: knew, without: knows })
  const won: Audience = { to: 'difference', of: knows, without: knew }
  tx.events.append({ type: 'stream', op: 'create', streams: [toWireChannel(after)] }, won)
  await announceToSubscribers(tx, after, won)
}

function intersection(one: Audience, other: Audience): Audience {
  return { to: 'difference', of: one, without: { to: 'difference', of: one, without: other } }
}

async function announceToSubscribers(tx: Tx, channel: Channel, audience: Audience): Promise<void> {
  const { id } = channel
  const user_ids = (await tx.subscriptions.subscribers([id])).get(id) ?? []
  if (user_ids.length === 0) return
  const peers = { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids } as const
  tx.events.append({ ...peers, ...ofArchived(channel) }, audience)
}
