import type { Channel } from '../../domain/channel.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { hasRole } from '../../domain/roles.ts'
import { channelLists } from '../../events/state/channels.ts'
import type { Handler } from '../handler.ts'

/** GET /streams: channels that the caller may know of and that fall under one of the chosen kinds. */
export const getStreams: Handler<'get-streams'> = async ({ input, actor, db, clock, organization }) => {
  if (input.include_all_active && !hasRole(actor.role, 'administrator')) {
    throw new BadRequestError('User not authorized for this query')
  }
  const { channels, streams, rightsTo, isSubscribed } = await channelLists(db.read, actor, {
    includeSubscribers: 'false',
    includeArchived: !input.exclude_archived,
    now: unixSeconds(clock),
    organization,
  })
  const ownerId = input.include_owner_subscribed ? actor.botOwnerId : null
  const ofOwner = new Set(
    ownerId === null ? [] : (await db.read.subscriptions.ofUser(ownerId)).map((one) => one.channelId),
  )
  const isDefault = new Set(input.include_default ? (await db.read.channels.defaults()).map(({ id }) => id) : [])
  const isChosen = (channel: Channel): boolean =>
    input.include_all ||
    input.include_all_active ||
    (input.include_public && !channel.inviteOnly && rightsTo(channel).mayRead) ||
    (input.include_web_public && channel.isWebPublic) ||
    (input.include_subscribed && isSubscribed(channel)) ||
    (input.include_default && isDefault.has(channel.id)) ||
    (input.include_can_access_content && rightsTo(channel).mayRead) ||
    ofOwner.has(channel.id)
  return {
    streams: channels.flatMap((channel, index) => {
      const wire = streams[index]
      if (!wire || !isChosen(channel)) return []
      return [input.include_default ? { ...wire, is_default: isDefault.has(channel.id) } : wire]
    }),
  }
}
