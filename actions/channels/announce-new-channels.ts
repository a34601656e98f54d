import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '../../domain/limits.ts'
import { linkToChannel } from '../../domain/markdown/channel-links.ts'
import { silentMention } from '../../domain/messages/quoted-message.ts'
import type { User } from '../../domain/users/user.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { AlertWords } from '../../events/alert-words.ts'
import { isKnownToReaders } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import { visibleUsers } from '../../permissions/visible-users.ts'
import { noticeOf } from '../messages/notice-of.ts'
import { sendDirectNotice, sendNotice } from '../messages/send-message.ts'

const ANNOUNCEMENTS_TOPIC = 'new channels'
/** Maximum number of names in an announcement; further channels are only counted. */
const MAX_NAMES = 20

/**
 * Announces new channels of `maker` as the notification bot, in the channel that the organization has chosen for it.
 * Private channels are not announced, and others are named only if every guest who reads the announcement follows them
 * (DIFF-ANNOUNCED-PRIVATE).
 */
export async function announceChannels(
  tx: Tx,
  maker: Actor,
  made: readonly Channel[],
  alertWords: AlertWords,
): Promise<void> {
  const told = made.filter((channel) => !channel.inviteOnly)
  if (told.length === 0) return
  const id = tx.organization.settings.new_stream_announcements_stream_id
  const channel = id === -1 ? undefined : await tx.channels.byId(id as ChannelId)
  if (!channel || channel.isArchived) return
  const named: Channel[] = []
  for (const one of told.slice(0, MAX_NAMES)) if (await isKnownToReaders(tx, one, channel)) named.push(one)
  const names = named.length === 0 ? '' : `: ${linksTo(named, told.length)}`
  const count = named.length === 0 ? `${told.length} ` : ''
  const content = `${silentMention(maker)} made ${told.length === 1 ? 'a new channel' : `${count}new channels`}${names}.`
  const notice = noticeOf(content, maker, told, alertWords)
  await sendNotice(tx, { channel, topic: ANNOUNCEMENTS_TOPIC, ...notice, readBy: [maker.id] })
}

/**
 * Tells users in direct messages, as the notification bot, to which channels `subscriber` has subscribed them. Channels
 * that were created just now are left out, and so are bots.
 *
 * @param subscribed the channels that are new to each of `users`
 * @returns false if there were so many users that nobody was told
 */
export async function notifySubscribed(
  tx: Tx,
  subscriber: Actor,
  users: readonly User[],
  { subscribed, made }: { subscribed: ReadonlyMap<UserId, readonly Channel[]>; made: readonly Channel[] },
  alertWords: AlertWords,
): Promise<boolean> {
  const isNew = new Set(made.map(({ id }) => id))
  const told = users.flatMap((user) => {
    const channels = subscribed.get(user.id)?.filter(({ id }) => !isNew.has(id)) ?? []
    return user.id === subscriber.id || user.isBot || channels.length === 0 ? [] : [{ user, channels }]
  })
  if (told.length > MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) return false
  const pauses = new Pauses()
  for (const { user, channels } of told) {
    const what = channels.length === 1 ? 'the channel' : 'the channels'
    const [seen] = await visibleUsers(tx, user, [subscriber])
    const did = seen ? `${silentMention(seen)} subscribed you to` : 'You were subscribed to'
    const content = `${did} ${what} ${linksTo(channels)}.`
    await sendDirectNotice(tx, { to: user, ...noticeOf(content, subscriber, channels, alertWords) })
    await pauses.letOthers()
  }
  return true
}

function linksTo(channels: readonly Channel[], count = channels.length): string {
  const named = channels.slice(0, MAX_NAMES)
  const links = named.map(linkToChannel).join(', ')
  return count > named.length ? `${links}, and ${count - named.length} more` : links
}
