import { type Event, EventQueue } from '../deployment/event-queue.ts'
import { type Check, ids } from '../kernel/check.ts'
import { emptyTopicName, fetched, organizationOf, post } from '../kernel/messaging.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'

const base = { area: 'POST /mark_topic_as_read', profile: 'core' } as const
const operations = [
  ...['subscribe', 'send-message', 'get-message', 'update-message-flags'],
  'mark-topic-as-read',
] as const

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'reading/topic',
    title: 'a topic is marked as read, and no other',
    requirements: ids('READ', [3, 4, 5, 6, 8]),
    operations: [...operations, 'register-queue', 'get-events', 'delete-queue'],
    async run(t) {
      const { user: author, other: reader, channel } = await t.scene()
      const [topic, otherTopic] = [t.unique('reading'), t.unique('reading')]
      const contents = Array.from({ length: 25 }, (_, index) => `Message ${index}.`)
      const sent = await Promise.all(contents.map((content) => post(author, channel, topic, content)))
      const inside = sent.toSorted((one, other) => one - other)
      const outside = await post(author, channel, otherTopic, 'Four.')
      const before = await Promise.all([...inside, outside].map((id) => fetched(reader, id)))
      if (before.some(isRead)) t.leaveOut('needs a reader for whom new messages are unread')
      // The newest is read already, and the others are not.
      await reader.must('update-message-flags', { messages: inside.slice(-1), op: 'add', flag: 'read' })
      const queue = await EventQueue.open(reader, { event_types: ['update_message_flags'] })
      const marked = await reader.call('mark-topic-as-read', { stream_id: channel.id, topic_name: topic })
      if (!t.that('READ-6', marked, marked.status === 200, 'success')) return
      const isBare = Object.keys(marked.body).sort().join() === 'msg,result'
      t.that('READ-5', marked, isBare, '`result` and `msg`, nothing else')
      for (const exchange of await Promise.all(inside.map((id) => fetched(reader, id)))) {
        t.that('READ-3', exchange, isRead(exchange), '`flags` has "read"')
      }
      const exchange = await fetched(reader, outside)
      t.that('READ-4', exchange, !isRead(exchange), '`flags` has no "read": the message is in another topic')
      // A server may tell of the newest, too, which was read before.
      const isOfAll = ({ op, flag, messages }: Event): boolean =>
        op === 'add' && flag === 'read' && inside.slice(0, -1).every((id) => messages.includes(id))
      const { event, exchange: told, lacked } = await queue.until(isOfAll)
      const says = `an \`update_message_flags\` event that messages ${inside} are read; but ${lacked}`
      t.that('READ-8', told, event !== undefined && !event.messages.includes(outside), says)
    },
  },
  {
    ...base,
    id: 'reading/empty-topic',
    title: 'the display name of the empty topic marks it as read',
    requirements: ['EMPTY-5'],
    operations: [...operations, 'register-queue'],
    async run(t) {
      const { user: author, other: reader } = await t.scene()
      const displayName = emptyTopicName(t, await organizationOf(author))
      const channel = await t.channel(author, [reader])
      const [empty, named] = [await post(author, channel, '', 'One.'), await post(author, channel, 'named', 'Two.')]
      await reader.must('mark-topic-as-read', { stream_id: channel.id, topic_name: displayName })
      const marked = await fetched(reader, empty)
      t.that('EMPTY-5', marked, isRead(marked), '`flags` has "read"')
      const other = await fetched(reader, named)
      t.that('EMPTY-5', other, !isRead(other), '`flags` has no "read": the message is in another topic')
    },
  },
  {
    ...base,
    id: 'reading/refused',
    title: 'a topic that is not there cannot be marked as read',
    requirements: ids('READ', [1, 2, 7]),
    operations: ['mark-topic-as-read'],
    async run(t) {
      const { user, channel, topic } = await t.scene()
      const mark = (values: Readonly<Record<string, unknown>>): Promise<Exchange> =>
        user.call('mark-topic-as-read', values)
      const channelless = await mark({ topic_name: topic })
      t.that('READ-1', channelless, channelless.body?.result === 'error', 'a refusal, because of `stream_id`')
      const topicless = await mark({ stream_id: channel.id })
      t.that('READ-2', topicless, topicless.body?.result === 'error', 'a refusal, because of `topic_name`')
      const nowhere = await mark({ stream_id: idOfNothing, topic_name: topic })
      t.refusedWith('READ-7', nowhere, 'Invalid channel ID')
      const strange = t.unique('nothing')
      const empty = await mark({ stream_id: channel.id, topic_name: strange })
      t.refusedWith('READ-7', empty, `No such topic '${strange}'`)
    },
  },
]

function isRead({ body }: Exchange): boolean {
  return body.message.flags.includes('read')
}
