import type { PushedMessage } from '../db/repositories/pushed-messages.ts'
import type { Readers } from '../db/repositories.ts'
import { chunksOf } from '../domain/chunks.ts'
import type { Audience } from '../domain/events/audience.ts'
import type { LogEvent, MessageLogEvent } from '../domain/events/log-event.ts'
import type { ChannelId, MessageId, UserId } from '../domain/ids.ts'
import { PRESENCE_OFFLINE_THRESHOLD_SECONDS, REMOVED_A_NOTIFICATION } from '../domain/limits.ts'
import { messageNotification, removalNotification } from '../domain/notifications/notification.ts'
import { type ChannelReceiver, isPushed } from '../domain/notifications/push-trigger.ts'
import { VISIBILITY } from '../domain/topics/topic-visibility.ts'
import { Pauses } from '../event-loop/pauses.ts'
import { findMessage, visibleMessages } from '../permissions/access-message.ts'
import { asActor } from '../permissions/actor.ts'
import { withVisibleSenders } from '../permissions/visible-users.ts'
import type { PushMail, PushServices } from './push-mail.ts'

/** Number of subscribers of a channel who are checked together. */
const FOLLOWERS_A_STATEMENT = 500

/** Adds to `mail` what devices must be told because of an event. */
export async function pushOfEvent(
  services: PushServices,
  mail: PushMail,
  event: LogEvent,
  audience: Audience,
): Promise<void> {
  if (event.type === 'message') await pushMessage(services, mail, event, audience)
  else if (event.type === 'delete_message') await takeBack(services, mail, event.message_ids, undefined)
  else if (
    event.type === 'update_message_flags' &&
    event.flag === 'read' &&
    event.op === 'add' &&
    audience.to === 'users'
  )
    await takeBack(services, mail, event.messages as MessageId[], new Set(audience.userIds))
}

async function pushMessage(
  services: PushServices,
  mail: PushMail,
  event: MessageLogEvent,
  audience: Audience,
): Promise<void> {
  const { pushedMessages } = services.db.read
  const { userId: doneUpTo } = mail.position
  const isLeft = (id: UserId): boolean => id > doneUpTo && id !== event.message.sender_id
  if (audience.to === 'users') {
    const owners = (await pushedMessages.ownersAmong(audience.userIds)).filter(isLeft)
    await pushTo(services, mail, event, owners)
  } else {
    const channelId = event.message.stream_id as ChannelId
    for (let after: number = doneUpTo; ; ) {
      const owners = await pushedMessages.ownersFollowing(channelId, after, FOLLOWERS_A_STATEMENT)
      await pushTo(services, mail, event, owners.filter(isLeft), channelId)
      const last = owners.at(-1)
      if (last === undefined || owners.length < FOLLOWERS_A_STATEMENT || services.turn.signal.aborted) return
      after = last
    }
  }
}

/** @param channelId where the message was sent; undefined for a direct message */
async function pushTo(
  services: PushServices,
  mail: PushMail,
  event: MessageLogEvent,
  owners: readonly UserId[],
  channelId?: ChannelId,
): Promise<void> {
  if (owners.length === 0) return
  const { read } = services.db
  const { pushedMessages } = read
  const pauses = new Pauses()
  const messageId = event.message.id as MessageId
  const settings = await read.users.settings(owners, pauses)
  const receiverOf = channelId && (await channelReceivers(services, event, owners, channelId))
  const muters = await pushedMessages.mutersAmong(owners, event.message.sender_id as UserId)
  const active = await pushedMessages.activeSince(owners, read.organization.now - PRESENCE_OFFLINE_THRESHOLD_SECONDS)
  for (const userId of owners) {
    if (services.turn.signal.aborted) return
    const own = settings.get(userId)
    const receiver = receiverOf?.(userId)
    if (!own || muters.has(userId) || (receiverOf && !receiver)) continue
    if (!isPushed(own, receiver, active.has(userId))) continue
    const user = await read.users.byId(userId)
    if (!user?.isActive) continue
    // The present message, if it still exists and the user can read it but has not read it.
    const found = await findMessage(read, asActor(user), messageId)
    const [viewed] = await withVisibleSenders(read, user, services.site, found ? [found] : [])
    if (viewed?.wasReceived && !viewed.flags.isRead) {
      await mail.show(userId, viewed.message, (to) => messageNotification(to, viewed.message))
    }
    await pauses.letOthers()
  }
}

/** Returns the relation of each of `owners` to the message; undefined for users without a subscription. */
async function channelReceivers(
  { db }: PushServices,
  { message, mentionedUserIds, topicMentionedUserIds, mentionsChannel }: MessageLogEvent,
  owners: readonly UserId[],
  channelId: ChannelId,
): Promise<(userId: UserId) => ChannelReceiver | undefined> {
  const subscriptions = await db.read.subscriptions.toChannel(channelId, owners)
  const policies = await db.read.userTopics.ofTopic(channelId, message.subject, owners)
  const [mentioned, topicMentioned] = [new Set(mentionedUserIds), new Set(topicMentionedUserIds)]
  return (userId) => {
    const subscription = subscriptions.get(userId)
    return (
      subscription && {
        isMentioned: mentioned.has(userId),
        isTopicMentioned: topicMentioned.has(userId),
        isChannelMentioned: mentionsChannel,
        isChannelMuted: subscription.isMuted,
        topicPolicy: policies.get(userId) ?? VISIBILITY.none,
        pushNotifications: subscription.pushNotifications,
        wildcardMentionsNotify: subscription.wildcardMentionsNotify,
      }
    )
  }
}

/** @param among users who have read them; undefined for everybody who can no longer read them */
async function takeBack(
  { db }: PushServices,
  mail: PushMail,
  messageIds: readonly MessageId[],
  among: ReadonlySet<UserId> | undefined,
): Promise<void> {
  // The waiting notifications are in no table yet.
  await mail.flush()
  const shown = (await db.read.pushedMessages.shown(messageIds)).filter(({ userId }) => among?.has(userId) ?? true)
  for (const [userId, ofOne] of Map.groupBy(shown, (one: PushedMessage) => one.userId)) {
    const kept = among ? new Set() : await readableBy(db.read, userId, ofOne)
    const lost = ofOne.filter(({ messageId }) => !kept.has(messageId))
    for (const some of chunksOf(lost, REMOVED_A_NOTIFICATION)) {
      const ids = some.map(({ messageId }) => messageId)
      await mail.remove(userId, some, (to) => removalNotification(to, ids, db.read.organization.now))
    }
  }
}

/** Messages that have moved are deleted only for those who cannot read them in their new place. */
async function readableBy(read: Readers, userId: UserId, shown: readonly PushedMessage[]): Promise<Set<MessageId>> {
  const user = await read.users.byId(userId)
  if (!user?.isActive) return new Set()
  const ids = shown.map(({ messageId }) => messageId)
  return new Set((await visibleMessages(read, asActor(user), ids)).map(({ id }) => id))
}
