import type { Json } from '../wire/values.ts'
import type { Agreement } from './agreement.ts'
import { ask, type Viewer } from './viewer.ts'

/** For a subscriber, the topics of a channel and its first message match its messages. */
export async function topicsAgree(viewer: Viewer, agreement: Agreement): Promise<void> {
  const { registered, world } = viewer
  const ours = new Set(world.channels.map(({ id }) => id))
  const followed: Json[] = registered.body.subscriptions.filter(({ stream_id: id }: Json) => ours.has(id))
  // A subscriber may have only a part of a private channel without public history.
  const whole = followed.filter(({ history_public_to_subscribers: isWhole }) => isWhole !== false)
  await Promise.all(whole.map((channel) => channelTopicsAgree(viewer, channel, agreement)))
}

async function channelTopicsAgree(viewer: Viewer, channel: Json, agreement: Agreement): Promise<void> {
  const stream_id: number = channel.stream_id
  const narrow = [{ operator: 'channel', operand: stream_id }]
  const [topics, messages] = await Promise.all([
    ask(viewer, 'get-stream-topics', { stream_id, allow_empty_topic_name: true }),
    ask(viewer, 'get-messages', {
      anchor: 'newest',
      num_before: 1000,
      num_after: 0,
      narrow,
      allow_empty_topic_name: true,
    }),
  ])
  if (topics === undefined || messages === undefined || messages.body.found_oldest === false) return
  const newest = new Map<string, number>()
  for (const { subject, id } of messages.body.messages) newest.set(subject.toLowerCase(), id)
  const wanted = [...newest].toSorted(([, one], [, other]) => other - one)
  const listed = topics.body.topics.map(({ name, max_id }: Json) => [name.toLowerCase(), max_id])
  agreement.same(topics, `the list of topics of channel ${stream_id}`, listed, wanted, 'GET /messages')
  const first = messages.body.messages[0]?.id ?? null
  const what = `\`first_message_id\` of channel ${stream_id}`
  agreement.same(viewer.registered, what, channel.first_message_id, first, 'GET /messages')
}

/** Everybody who has read a message is in its list of readers. */
export async function receiptsAgree(
  viewer: Viewer,
  all: ReadonlyMap<number, Json>,
  agreement: Agreement,
): Promise<void> {
  const { person, registered } = viewer
  if (registered.body.user_settings?.send_read_receipts !== true) return
  if (registered.body.realm_enable_read_receipts === false) return
  const messages = [...all.values()].filter(({ sender_id: id }) => id !== person.userId)
  const chosen = [true, false].flatMap((wanted) =>
    messages.filter(({ flags }) => flags.includes('read') === wanted).slice(0, 2),
  )
  await Promise.all(
    chosen.map(async ({ id: message_id, flags }) => {
      const receipts = await ask(viewer, 'get-read-receipts', { message_id })
      if (receipts === undefined) return
      const what = `whether user ${person.userId} is among those who have read message ${message_id}`
      const says = 'GET /messages'
      agreement.same(receipts, what, receipts.body.user_ids.includes(person.userId), flags.includes('read'), says)
    }),
  )
}
