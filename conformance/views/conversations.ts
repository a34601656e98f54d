import type { Json } from '../wire/values.ts'
import type { Agreement } from './agreement.ts'
import { ask, type Viewer } from './viewer.ts'

/** The topics of a channel and its first message follow from its messages, for a subscriber. */
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
  const narrow = [{ operator: viewer.t.level >= 250 ? 'channel' : 'stream', operand: stream_id }]
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

/** The unread and starred messages in POST /register are those with the matching flags. */
export async function flagsAgree(viewer: Viewer, messages: ReadonlyMap<number, Json>, agreement: Agreement) {
  const { registered, world, person } = viewer
  const ours = new Set(world.messages.map(({ id }) => id))
  const flagged = (flag: string, wanted: boolean): Json[] =>
    [...messages.values()].filter(({ flags }) => flags.includes(flag) === wanted)
  const starred = (registered.body.starred_messages ?? []).filter((id: number) => messages.has(id))
  const ids = (list: readonly Json[]): number[] => list.map(({ id }) => id)
  const says = '`starred_messages` of the tour'
  agreement.sameSet(registered, says, starred, ids(flagged('starred', true)), 'GET /messages')
  // Messages of channels that the user has left are never unread.
  const followed = new Set(registered.body.subscriptions.map(({ stream_id: id }: Json) => id))
  const unread = flagged('read', false).filter(
    ({ stream_id: id, flags }) => (id === undefined || followed.has(id)) && !flags.includes('historical'),
  )
  unreadAgree(viewer, ours, unread, agreement)
  const mentions = registered.body.unread_msgs.mentions.filter((id: number) => ours.has(id))
  const expected = '`mentions` of the tour'
  const isRight = ids(unread.filter(({ flags }) => flags.includes('mentioned')))
  agreement.sameSet(registered, expected, mentions, isRight, 'GET /messages')
  await receiptsAgree(
    viewer,
    [...messages.values()].filter(({ sender_id: id }) => id !== person.userId),
    agreement,
  )
}

function unreadAgree(
  { registered, person }: Viewer,
  ours: ReadonlySet<number>,
  unread: readonly Json[],
  agreement: Agreement,
): void {
  const told = registered.body.unread_msgs
  const groups = new Map<string, number[]>()
  for (const message of unread) {
    const name = conversationOf(message, person.userId)
    groups.set(name, [...(groups.get(name) ?? []), message.id])
  }
  const there: [string, number[]][] = [
    ...told.streams.map((one: Json) => [`topic ${one.stream_id} ${one.topic.toLowerCase()}`, one.unread_message_ids]),
    ...told.pms.map((one: Json) => [`user ${one.other_user_id ?? one.sender_id}`, one.unread_message_ids]),
    ...told.huddles.map((one: Json) => [`users ${one.user_ids_string}`, one.unread_message_ids]),
  ]
  const listed = there
    .map(([name, ids]): [string, number[]] => [name, ids.filter((id) => ours.has(id))])
    .filter(([, ids]) => ids.length > 0)
  const inOrder = (all: Iterable<[string, number[]]>): Json => Object.fromEntries(all)
  agreement.same(registered, '`unread_msgs` of the tour', inOrder(listed), inOrder(groups), 'flags of GET /messages')
  const lists: readonly number[][] = there.map(([, ids]) => ids)
  const total = new Set(lists.flat()).size
  const words = `\`count\` of at most ${total}, which is how many ids there are`
  agreement.isSo(registered, told.old_unreads_missing === true || told.count <= total, words)
}

function conversationOf(message: Json, self: number): string {
  if (message.type === 'stream') return `topic ${message.stream_id} ${message.subject.toLowerCase()}`
  const people: number[] = message.display_recipient.map(({ id }: Json) => id)
  const others = people.filter((id) => id !== self)
  if (people.length > 2) return `users ${people.toSorted((one, other) => one - other).join()}`
  return `user ${others[0] ?? self}`
}

/** Everybody who has read a message is in its list of readers. */
async function receiptsAgree(viewer: Viewer, messages: readonly Json[], agreement: Agreement): Promise<void> {
  const { person, registered } = viewer
  if (registered.body.user_settings?.send_read_receipts !== true) return
  if (registered.body.realm_enable_read_receipts === false) return
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
