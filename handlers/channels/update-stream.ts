import { changeChannel } from '../../actions/channels/change-channel.ts'
import { addDefaultChannels, removeDefaultChannel } from '../../actions/channels/default-channels.ts'
import { type ChannelChanges, wantedChannel } from '../../actions/channels/wanted-channel.ts'
import { markPlacesRead } from '../../actions/messages/mark-read.ts'
import { MessagesOfPlaces } from '../../db/read-state/messages-of-places.ts'
import type { Tx } from '../../db/repositories.ts'
import { channelDescription } from '../../domain/channels/channel-text.ts'
import type { UserId } from '../../domain/ids.ts'
import { checkChannelName } from '../../domain/text/names.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { Input } from '../../generated/operations.ts'
import { accessChannel, type FoundChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** Number of users for whom one transaction marks a channel as read, while other writers wait. */
const READERS_A_TURN = 100

/** PATCH /streams/{stream_id}: all changes or none. */
export const updateStream: Handler<'update-stream'> = async ({ input, write }) => {
  const changes = { ...input, text: textOf(input) }
  let after: number | undefined = 0
  while (after !== undefined) {
    const from: number = after
    after = await write(async (tx, actor) => {
      const found = await accessChannel(tx, actor, input.stream_id)
      const wanted = await wantedChannel(tx, actor, found, changes)
      const left = found.channel.isArchived && !wanted.isArchived ? await readBySome(tx, found, from) : undefined
      if (left !== undefined) return left
      await changeChannel(tx, found.channel, wanted)
      if (input.is_default_stream) await addDefaultChannels(tx, [wanted])
      if (input.is_default_stream === false) await removeDefaultChannel(tx, wanted.id)
      return undefined
    })
  }
  return {}
}

/** Checked and rendered before the transaction. */
function textOf({ new_name: name, description }: Input<'update-stream'>): ChannelChanges['text'] {
  return {
    ...(name !== undefined && { name: checkChannelName(name) }),
    ...(description !== undefined && channelDescription(description)),
  }
}

/**
 * Marks the messages of a channel as read before it is restored. Nothing in an archived channel counts as unread, and
 * clients have dropped its unread messages, so these stay read. The last subscribers are handled in the transaction
 * that restores it.
 *
 * @param after ID of the account after which to continue
 * @returns the ID after which to continue; undefined if nobody is left
 */
async function readBySome(tx: Tx, { channel }: FoundChannel, after: number): Promise<UserId | undefined> {
  const followers = await tx.subscriptions.followers(channel.id, after, READERS_A_TURN)
  const messages = new MessagesOfPlaces(tx.session, 'channel_id', new Pauses())
  for (const user of await tx.users.byIds(followers)) await markPlacesRead(tx, user, [channel.id], messages)
  return followers.length < READERS_A_TURN ? undefined : followers.at(-1)
}
