import type { Account, Values } from '../deployment/account.ts'
import { type Event, EventQueue } from '../deployment/event-queue.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import { effect, effectNamed } from '../kernel/effect.ts'
import { eventOf, listen } from '../kernel/listening.ts'
import { fetched, post, postTo } from '../kernel/messaging.ts'
import { withOwnSetting } from '../kernel/own-setting.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { isSetOf, type Json } from '../wire/values.ts'
import { by, refuses } from './outcomes.ts'

export const checks: readonly WrittenCheck[] = [
  {
    id: 'reading/topic',
    title: 'a topic is marked as read, and no other',
    requirements: ids('READ', [3, 4, 5, 6, 8]),
    async run(t) {
      const { user: author, other: reader, channel } = await t.scene()
      const [topic, otherTopic] = [t.unique('reading'), t.unique('reading')]
      const contents = Array.from({ length: 25 }, (_, index) => `Message ${index}.`)
      const sent = await Promise.all(contents.map((content) => post(author, channel, topic, content)))
      const inside = sent.toSorted((one, other) => one - other)
      const outside = await post(author, channel, otherTopic, 'Four.')
      const before = await Promise.all([...inside, outside].map((id) => fetched(reader, id)))
      if (before.some(isRead)) t.leaveOut('needs a reader for whom new messages are unread')
      await reader.must('update-message-flags', { messages: inside.slice(-1), op: 'add', flag: 'read' })
      const queue = await EventQueue.open(reader, { event_types: ['update_message_flags'] })
      const marked = await reader.call('mark-topic-as-read', { stream_id: channel.id, topic_name: topic })
      if (!t.that('READ-6', marked, marked.status === 200, 'success')) return
      t.bareSuccess('READ-5', marked)
      for (const exchange of await Promise.all(inside.map((id) => fetched(reader, id)))) {
        t.that('READ-3', exchange, isRead(exchange), '`flags` has "read"')
      }
      const exchange = await fetched(reader, outside)
      t.that('READ-4', exchange, !isRead(exchange), '`flags` has no "read": the message is in another topic')
      // A server may include the newest message, which was read before.
      const isOfAll = ({ op, flag, messages }: Event): boolean =>
        op === 'add' && flag === 'read' && inside.slice(0, -1).every((id) => messages.includes(id))
      const { event, exchange: told, lacked } = await queue.until(isOfAll)
      const says = `an \`update_message_flags\` event that messages ${inside} are read; but ${lacked}`
      t.that('READ-8', told, event !== undefined && !event.messages.includes(outside), says)
    },
  },
  {
    id: 'reading/refused',
    title: 'a topic that does not exist cannot be marked as read',
    requirements: ids('READ', [1, 2, 7]),
    async run(t) {
      const { user, channel, topic } = await t.scene()
      const mark = (values: Readonly<Record<string, unknown>>): Promise<Exchange> =>
        user.call('mark-topic-as-read', values)
      refuses(by(t, 'READ-1'), await mark({ topic_name: topic }), 'there is no `stream_id`')
      refuses(by(t, 'READ-2'), await mark({ stream_id: channel.id }), 'there is no `topic_name`')
      const nowhere = await mark({ stream_id: idOfNothing, topic_name: topic })
      t.refusedWith('READ-7', nowhere, 'Invalid channel ID')
      const strange = t.unique('nothing')
      const empty = await mark({ stream_id: channel.id, topic_name: strange })
      t.refusedWith('READ-7', empty, `No such topic '${strange}'`)
    },
  },
  effectNamed(
    'effects/update-message-flags/hidden',
    'the answer lists all requested messages, and only the caller’s flags change',
    async (t, shows, { user, other, channel, topic }) => {
      const third = await t.user()
      const [own, hidden] = [await post(user, channel, topic, 'To all.'), await postTo(user, [third], 'To one.')]
      const messages = [idOfNothing, own, hidden]
      const exchange = await other.must('update-message-flags', { messages, op: 'add', flag: 'starred' })
      shows(exchange, exchange.body.messages.join() === messages.join(), `\`messages\` are ${messages}, as sent`)
      const starred = await fetched(other, own)
      shows(starred, starred.body.message.flags.includes('starred'), `the flag \`starred\` at message ${own}`)
      for (const person of [user, third]) {
        const seen = await fetched(person, hidden)
        const isFree = !seen.body.message.flags.includes('starred')
        shows(seen, isFree, `no flag \`starred\` for user ${person.userId}, who did nothing`)
      }
    },
  ),
  effectNamed(
    'effects/update-message-flags/not-subscribed',
    'messages of channels without a subscription can be starred, and never become unread',
    async (t, shows, { user, other }) => {
      if (t.level < 355) t.leaveOut('before level 355 the answer does not tell which channels were passed over')
      const channel = await t.channel(user)
      const id = await post(user, channel, t.unique('marks'), 'For all who come by.')
      const narrow = [{ operator: 'channel', operand: channel.id }]
      const range = { anchor: id, num_before: 0, num_after: 0, narrow }
      for (const [op, flag, isListed] of [
        ['add', 'starred', false],
        ['remove', 'read', true],
      ] as const) {
        for (const exchange of [
          await other.must('update-message-flags', { messages: [id], op, flag }),
          await other.must('update-message-flags-for-narrow', { ...range, op, flag }),
        ]) {
          const passed = exchange.body.ignored_because_not_subscribed_channels ?? []
          const wanted = isListed ? [channel.id] : []
          const says = `\`ignored_because_not_subscribed_channels\` is [${wanted}]`
          shows(exchange, isSetOf(passed, wanted), `${says}, because user ${other.userId} does not follow the channel`)
        }
      }
      const exchange = await fetched(other, id)
      const { flags } = exchange.body.message
      const wanted = ['historical', 'read', 'starred']
      const isRight = wanted.every((flag) => flags.includes(flag))
      shows(exchange, isRight, `the flags ${wanted.join(', ')}`)
    },
  ),
  effectNamed(
    'effects/mark-all-as-read/event',
    'marking everything or a channel as read is announced to all clients of the user',
    async (t, shows, { user, other }) => {
      const channel = await t.channel(user, [other])
      const ids = await Promise.all(['One.', 'Two.'].map((text) => post(user, channel, t.unique('marks'), text)))
      const queue = await listen(other, ['update_message_flags'])
      for (const [operation, values, wanted] of [
        ['mark-stream-as-read', { stream_id: channel.id }, ids],
        ['mark-all-as-read', {}, [...ids, await postTo(user, [other], 'Three.')]],
      ] as const) {
        await other.must('update-message-flags', { messages: wanted, op: 'remove', flag: 'read' })
        await other.must(operation, values)
        const read = new Set<number>()
        const isTold = ({ type, op, flag, all, messages = [] }: Json): boolean => {
          const isMeant = type === 'update_message_flags' && op === 'add' && flag === 'read'
          for (const id of isMeant ? messages : []) read.add(id)
          return isMeant && (all === true || wanted.every((id) => read.has(id)))
        }
        const told = await eventOf(shows, queue, isTold, `that messages ${wanted.join()} are read, after ${operation}`)
        if (told === undefined) return
      }
    },
  ),
  effect(
    'get-read-receipts',
    'read receipts list readers, except the sender, muted users, and those who turned receipts off',
    async (_, shows, { user: author, other: reader, channel, topic }) => {
      const message_id = await post(author, channel, topic, 'Read me.')
      const marks = (person: Account, op: string): Promise<Exchange> =>
        person.must('update-message-flags', { messages: [message_id], op, flag: 'read' })
      await marks(author, 'add')
      const mutes = (person: Account, { userId: muted_user_id }: Account, how = 'mute'): Promise<Exchange> =>
        person.must(`${how}-user`, { muted_user_id })
      await withOwnSetting(reader, 'send_read_receipts', async (tell) => {
        const steps: readonly (readonly [string, () => Promise<unknown>, boolean])[] = [
          ['they have not read it', () => marks(reader, 'remove'), false],
          ['they have read it', () => marks(reader, 'add'), true],
          ['they tell nobody what they read', () => tell(false), false],
          ['they tell others what they read, again', () => tell(true), true],
          ['the caller has muted them', () => mutes(author, reader), false],
          ['the caller has unmuted them', () => mutes(author, reader, 'unmute'), true],
          ['they have muted the caller', () => mutes(reader, author), false],
          ['they have unmuted the caller', () => mutes(reader, author, 'unmute'), true],
        ]
        try {
          for (const [because, change, isListed] of steps) {
            await change()
            const exchange = await author.must('get-read-receipts', { message_id })
            const ids = isListed ? [reader.userId] : []
            const says = `\`user_ids\` is [${ids}]: of user ${reader.userId}, ${because}`
            shows(exchange, isSetOf(exchange.body.user_ids, ids), says)
          }
        } finally {
          await author.call('unmute-user', { muted_user_id: reader.userId })
          await reader.call('unmute-user', { muted_user_id: author.userId })
        }
      })
    },
  ),
  effectNamed(
    'effects/register-queue/unread-count',
    'the count of unread messages leaves out muted ones, and the lists do not',
    async (t, shows, { user, other }) => {
      const channel = await t.channel(user, [other])
      const topic = t.unique('counted')
      const ids = [await post(user, channel, topic, 'Unread.'), await post(user, channel, topic, 'Unread, too.')]
      await other.must('update-message-flags', { messages: ids, op: 'remove', flag: 'read' })
      const all = await unreadOf(other)
      // Other servers send their own messages to a new channel.
      const further = all.listedIn(channel.id).length - ids.length
      const policy = (visibility_policy: number): Values => ({ stream_id: channel.id, topic, visibility_policy })
      const isMuted = (value: boolean): Values => ({
        subscription_data: [{ stream_id: channel.id, property: 'is_muted', value }],
      })
      const steps: readonly (readonly [string, Values, number])[] = [
        ['update-user-topic', policy(muted), ids.length],
        ['update-user-topic', policy(none), 0],
        ['update-subscription-settings', isMuted(true), ids.length + further],
        ['update-user-topic', policy(unmuted), further],
        ['update-user-topic', policy(followed), further],
        ['update-user-topic', policy(none), ids.length + further],
        ['update-subscription-settings', isMuted(false), 0],
      ]
      for (const [operation, values, fewer] of steps) {
        await other.must(operation, values)
        const { exchange, count, listed } = await unreadOf(other)
        const wanted = all.count - fewer
        shows(exchange, count === wanted, `\`count\` is ${wanted}, after ${operation} with ${JSON.stringify(values)}`)
        const isRight = ids.every((id) => listed.includes(id))
        shows(exchange, isRight, `messages ${ids.join()} in \`streams\`, muted or not`)
      }
    },
  ),
]

function isRead({ body }: Exchange): boolean {
  return body.message.flags.includes('read')
}

/** Values of `visibility_policy`. */
const [none, muted, unmuted, followed] = [0, 1, 2, 3]

interface Unread {
  readonly exchange: Exchange
  readonly count: number
  /** All message ids. */
  readonly listed: readonly number[]
  listedIn(channelId: number): readonly number[]
}

async function unreadOf(person: Account): Promise<Unread> {
  const exchange = await person.must('register-queue', { event_types: ['message', 'update_message_flags'] })
  const { count, streams } = exchange.body.unread_msgs
  const idsOf = (topics: readonly Json[]): number[] => topics.flatMap((topic) => topic.unread_message_ids)
  const listedIn = (id: number): number[] => idsOf(streams.filter(({ stream_id: channel }: Json) => channel === id))
  return { exchange, count, listed: idsOf(streams), listedIn }
}
