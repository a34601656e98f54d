import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import type { UserId } from '../../domain/ids.ts'
import { linkToTopic } from '../../domain/markdown/channel-links.ts'
import { silentMention } from '../../domain/messages/quoted-message.ts'
import { VISIBILITY } from '../../domain/topics/topic-visibility.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import type { AlertWords } from '../../events/alert-words.ts'
import { isKnownToReaders } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { Moved } from './move-messages.ts'
import { noticeOf } from './notice-of.ts'
import { sendNotice } from './send-message.ts'

/** The requested notices of a move, and how to render them. */
export interface MoveNotices {
  readonly inOldThread: boolean
  readonly inNewThread: boolean
  readonly alertWords: AlertWords
}

/**
 * Sends the notices of a move as the notification bot: that the topic was resolved or reopened, and which messages came
 * from where (STATE-TOPIC-4, MSG-EDIT-16 to MSG-EDIT-20).
 */
export async function sendMoveNotices(
  tx: Tx,
  mover: Actor,
  moved: Moved,
  notices: MoveNotices,
  pauses: Pauses,
): Promise<void> {
  const { change, from, to } = moved
  const send = async (place: Place, content: string, readBy: readonly UserId[] = []): Promise<void> => {
    // Read again, because an earlier notice may have been the first message of the channel.
    const channel = (await tx.channels.byId(place.channel.id)) ?? place.channel
    const notice = noticeOf(content, mover, to ? [from, to] : [from], notices.alertWords)
    await sendNotice(tx, { channel, topic: place.topic, ...notice, readBy })
  }
  const old: Place = { channel: from, topic: moved.oldTopic, standIn: to ? await standInFor(tx, from, to) : undefined }
  const present: Place = {
    channel: to ?? from,
    topic: moved.newTopic,
    standIn: to ? await standInFor(tx, to, from) : undefined,
  }
  const who = silentMention(mover)
  if (change.mark) {
    const did = change.mark === 'resolved' ? 'resolved this topic' : 'opened this topic again'
    await send(present, `${who} ${did}.`, await readersOfMark(tx, present, pauses))
  }
  if (!change.isOther && !to) return
  const [first] = moved.messages
  const count = moved.messages.length
  if (notices.inNewThread) {
    const one =
      old.standIn === undefined && first
        ? `a message (${linkToTopic(present.channel, present.topic, first.id)})`
        : 'a message'
    const what = moved.isWholeTopic && !moved.joinsOthers ? 'this topic' : count === 1 ? one : `${count} messages`
    await send(present, `${who} moved ${what} here from ${linkOf(old)}.`)
  }
  if (notices.inOldThread) {
    const what = moved.isWholeTopic ? 'this topic' : count === 1 ? 'a message from here' : `${count} messages from here`
    await send(old, `${who} moved ${what} to ${linkOf(present)}.`)
  }
}

interface Place {
  readonly channel: Channel
  readonly topic: string
  /** Shown in the other place instead of this one's name, if not everybody there may know it; otherwise undefined. */
  readonly standIn: string | undefined
}

function linkOf({ channel, topic, standIn }: Place): string {
  return standIn ?? linkToTopic(channel, topic)
}

/**
 * Returns what readers of one channel are shown instead of the other's name and topic (DIFF-MOVE-NOTICES), so that
 * users who lost the messages learn neither. Undefined if all of them may know the other channel.
 */
async function standInFor(tx: Tx, channel: Channel, readIn: Channel): Promise<string | undefined> {
  if (await isKnownToReaders(tx, channel, readIn)) return undefined
  return channel.inviteOnly ? 'a private channel' : 'another channel'
}

/** Returns who should not see the notice of a resolved topic as unread: `resolved_topic_notice_auto_read_policy`. */
async function readersOfMark(tx: Tx, { channel, topic }: Place, pauses: Pauses): Promise<UserId[]> {
  const subscribers = (await tx.subscriptions.subscribers([channel.id], pauses)).get(channel.id) ?? []
  const policies = await tx.userTopics.ofEverybody(channel.id, topic)
  const settings = await tx.users.settings(subscribers, pauses)
  return pauses
    .map(subscribers, (id) => {
      const policy = settings.get(id)?.resolved_topic_notice_auto_read_policy
      return policy === 'always' || (policy === 'except_followed' && policies.get(id) !== VISIBILITY.followed)
        ? [id]
        : []
    })
    .then((lists) => lists.flat())
}
