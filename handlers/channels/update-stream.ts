import { changeChannel } from '../../actions/channels/change-channel.ts'
import { addDefaultChannels, removeDefaultChannel } from '../../actions/channels/default-channels.ts'
import { type ChannelChanges, wantedChannel } from '../../actions/channels/wanted-channel.ts'
import { markReadBySome } from '../../actions/messages/mark-read.ts'
import { channelDescription } from '../../domain/channels/channel-text.ts'
import { checkChannelName } from '../../domain/text/names.ts'
import type { Input } from '../../generated/operations.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** PATCH /streams/{stream_id}: all changes or none. */
export const updateStream: Handler<'update-stream'> = async ({ input, write }) => {
  const changes = { ...input, text: textOf(input) }
  let after: number | undefined = 0
  while (after !== undefined) {
    const from: number = after
    after = await write(async (tx, actor) => {
      const found = await accessChannel(tx, actor, input.stream_id)
      const wanted = await wantedChannel(tx, actor, found, changes)
      const isRestored = found.channel.isArchived && !wanted.isArchived
      // Somebody may have made messages unread again. The last subscribers are handled in the transaction that restores.
      const left = isRestored ? await markReadBySome(tx, found.channel.id, from) : undefined
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
