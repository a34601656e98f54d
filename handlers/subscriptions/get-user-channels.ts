import type { ChannelId, UserId } from '../../domain/ids.ts'
import { ChannelRights } from '../../permissions/access-channel.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** GET /users/{user_id}/channels: the user's subscriptions that the caller may know. */
export const getUserChannels: Handler<'get-user-channels'> = async ({ input, actor, db, pauses }) => {
  const user = await accessUser(db.read, actor, input.user_id)
  const followed = await channelIds(user.id)
  const own = new Set(await channelIds(actor.id))
  const channels = user.isActive ? await db.read.channels.byIds(followed, pauses) : []
  const known = await pauses.map(channels, (channel) => {
    const isKnown =
      !channel.isArchived && new ChannelRights(actor, channel, own.has(channel.id), db.read.organization).mayKnow
    return isKnown ? [channel.id as number] : []
  })
  return { subscribed_channel_ids: known.flat() }

  async function channelIds(userId: UserId): Promise<ChannelId[]> {
    return (await db.read.subscriptions.ofUser(userId, pauses)).map((subscription) => subscription.channelId)
  }
}
