import type { Channel } from '../../domain/channels/channel.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { hasRole } from '../../domain/users/roles.ts'
import { channelJson, channelLists } from '../../views/state/channels.ts'
import type { Handler } from '../handler.ts'

/** GET /streams: channels that the caller may know and that are of one of the requested kinds. */
export const getStreams: Handler<'get-streams'> = async ({ input, actor, db, pauses }) => {
  if (input.include_all_active && !hasRole(actor.role, 'administrator')) {
    throw new BadRequestError('User not authorized for this query')
  }
  const { all, isKnown, rightsTo, isSubscribed } = await channelLists(db.read, actor, {
    includeSubscribers: 'false',
    includeArchived: !input.exclude_archived,
    pauses,
  })
  const ownerId = input.include_owner_subscribed ? actor.botOwnerId : null
  const ofOwner = new Set(
    ownerId === null ? [] : (await db.read.subscriptions.ofUser(ownerId, pauses)).map((one) => one.channelId),
  )
  const isDefault = new Set(input.include_default ? await db.read.defaultChannels.ids() : [])
  const isChosen = (channel: Channel): boolean =>
    isKnown(channel) &&
    (input.include_all ||
      input.include_all_active ||
      (input.include_public && !channel.inviteOnly && rightsTo(channel).mayRead) ||
      (input.include_web_public && channel.isWebPublic) ||
      (input.include_subscribed && isSubscribed(channel)) ||
      (input.include_default && isDefault.has(channel.id)) ||
      (input.include_can_access_content && rightsTo(channel).mayRead) ||
      ofOwner.has(channel.id))
  if (!input.include_default) return { streams: (await channelJson.list(all, pauses, { isListed: isChosen })).as() }
  const areChosen = await pauses.map(all, isChosen)
  const chosen = all.filter((_channel, index) => areChosen[index])
  const withDefault = ({ id }: Channel) => JSON.stringify({ is_default: isDefault.has(id) })
  return { streams: (await channelJson.listWith(chosen, pauses, withDefault)).as() }
}
