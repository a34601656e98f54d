import { announceChannels } from '../../actions/channels/announce-new-channels.ts'
import { acceptWishes, channelText, createChannelFor } from '../../actions/channels/create-channel.ts'
import { addDefaultChannels } from '../../actions/channels/default-channels.ts'
import { subscribeUsers } from '../../actions/subscriptions/subscribe-users.ts'
import { principals } from '../../actions/users/principals.ts'
import { BadRequestError, CodedError } from '../../domain/errors.ts'
import { ChannelRights } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** POST /channels/create: creates one channel and subscribes the named users. */
export const createChannel: Handler<'create-channel'> = async ({ input, write, alertWords }) => {
  const text = channelText(input)
  return write(async (tx, actor) => {
    const users = await principals(tx, actor, input.subscribers)
    const channel = await createChannelFor(tx, actor, text, await acceptWishes(tx, actor, input, [text]))
    if (!channel) {
      const more = { status: 409, data: { channel_name: text.name } }
      throw new CodedError('CHANNEL_ALREADY_EXISTS', `Channel '${text.name}' already exists`, more)
    }
    // The creator counts as a subscriber, even without a subscription.
    const { mayAddOthers } = new ChannelRights(actor, channel, true, tx.organization)
    if (!mayAddOthers && users.some(({ id }) => id !== actor.id)) throw new BadRequestError('Insufficient permission')
    if (input.is_default_stream) await addDefaultChannels(tx, [channel])
    await subscribeUsers(tx, [channel], users)
    if (input.announce) await announceChannels(tx, actor, [channel], alertWords)
    return { id: channel.id }
  })
}
