import type { Account } from '../deployment/account.ts'
import type { Event } from '../deployment/event-queue.ts'
import type { Channel } from '../deployment/leaving.ts'
import { type Check, ids } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { listen } from '../kernel/listening.ts'
import { hasEmptyTopic, organizationOf, post } from '../kernel/messaging.ts'
import { peopleOfRoles } from '../kernel/people-of-roles.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused, type Json, listOf } from '../wire/values.ts'

const base = { area: 'POST /streams/{stream_id}/delete_topic', profile: 'admin' } as const
const operations = ['subscribe', 'send-message', 'get-message', 'delete-topic', 'get-stream-topics'] as const
/** Messages that are deleted together (LIMIT-22). */
const batch = 100
/** Sent at once. */
const together = 10
/** Maximum number of requests for a rest that should be deleted at once. */
const mostAsked = 5
/**
 * How much faster the clock of a server for tests runs: the time for all batches is over before the first is deleted.
 */
const slowness = 1_000_000

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'topic-deletion/small',
    title: 'a topic is deleted with its messages, by administrators, and no other',
    requirements: [...ids('DEL-TOPIC', [1, 2, 3, 8, 10, 11, 12]), 'STATE-DEL-4', 'LEVEL-211', 'EMPTY-4'],
    operations,
    async run(t) {
      const { administrator, member, channel } = await ground(t)
      const [topic, other] = [t.unique('deleted'), t.unique('kept')]
      const sent = [await post(member, channel, topic, 'One.'), await post(member, channel, topic, 'Two.')]
      const kept = await post(member, channel, other, 'Three.')
      const values = { stream_id: channel.id, topic_name: topic }
      const people = await peopleOfRoles(t)
      for (const role of ['moderator', 'member', 'guest'] as const) {
        const refused = await people.get(role)?.call('delete-topic', values)
        if (refused === undefined) continue
        const isRefused = refused.body?.code === 'UNAUTHORIZED_PRINCIPAL'
        t.that('DEL-TOPIC-8', refused, isRefused, `\`code\` is "UNAUTHORIZED_PRINCIPAL" for a ${role}`)
      }
      const before = await topicsOf(member, channel)
      t.that('DEL-TOPIC-8', before.exchange, before.names.includes(topic), `"${topic}" is still there`)
      const nameless = await administrator.call('delete-topic', { stream_id: channel.id })
      t.that('DEL-TOPIC-2', nameless, nameless.body?.result === 'error', 'a refusal')
      const nowhere = await administrator.call('delete-topic', { ...values, stream_id: idOfNothing })
      t.that('DEL-TOPIC-11', nowhere, nowhere.body?.code === 'BAD_REQUEST', '`code` is "BAD_REQUEST"')
      t.refusedWith('DEL-TOPIC-11', nowhere, 'Invalid channel ID')

      const deleted = await administrator.call('delete-topic', values)
      if (!t.that('DEL-TOPIC-1', deleted, deleted.status === 200, `success for channel ${channel.id}`)) return
      const { complete, result } = deleted.body
      t.that('DEL-TOPIC-3', deleted, typeof complete === 'boolean', '`complete` is true or false')
      t.that('LEVEL-211', deleted, result === 'success' && complete !== undefined, 'success, with `complete`')
      t.that('STATE-DEL-4', deleted, complete === true, '`complete` is true for two messages')
      for (const id of sent) {
        const gone = await member.call('get-message', { message_id: id })
        t.that('STATE-DEL-4', gone, gone.body?.result === 'error', `message ${id} is not there any more`)
      }
      const after = await topicsOf(member, channel)
      t.that('STATE-DEL-4', after.exchange, !after.names.includes(topic), `no topic "${topic}"`)
      t.that('DEL-TOPIC-10', after.exchange, after.names.includes(other), `the topic "${other}"`)
      const stays = await member.call('get-message', { message_id: kept })
      t.that('DEL-TOPIC-10', stays, stays.status === 200, `message ${kept}, which is in another topic`)
      const again = await administrator.call('delete-topic', values)
      const isDone = again.status === 200 && again.body.complete !== false
      t.that('DEL-TOPIC-12', again, isDone, 'success, and `complete` is true')
      await emptyTopic(t, administrator, member, channel)
    },
  },
  {
    ...base,
    id: 'topic-deletion/batches',
    title: 'a long topic is deleted in batches, the newest messages first, and events tell of each',
    requirements: ['DEL-TOPIC-7', 'DEL-TOPIC-9', 'EV-OTHER-8', 'EV-OTHER-11', 'LIMIT-22'],
    operations: [...operations, 'register-queue', 'get-events', 'delete-queue'],
    isCostly: true,
    async run(t) {
      const { administrator, member, channel } = await ground(t)
      // A server's own message in a new channel would be its oldest one.
      for (const name of (await topicsOf(member, channel)).names) await remove(administrator, channel, String(name))
      const topic = t.unique('long')
      const sent = await manyIn(member, channel, topic, batch)
      const kept = await post(member, channel, t.unique('kept'), 'Keep me.')
      const capabilities = { notification_settings_null: false, bulk_message_deletion: true }
      const queue = await listen(member, ['delete_message', 'stream', 'message'], { client_capabilities: capabilities })
      const plain = await listen(member, ['delete_message'])
      for (let asked = 0; asked < sent.length; asked += 1) {
        if ((await remove(administrator, channel, topic)).body.complete !== false) break
      }
      const value = kept
      const { id: stream_id, name } = channel
      const update = { type: 'stream', op: 'update', stream_id, name, property: 'first_message_id', value }
      const heard: Event[] = []
      const { event, events, exchange, lacked } = await queue.until(update)
      const says = `an event with ${JSON.stringify(update)}; but ${lacked}`
      for (const one of ['DEL-TOPIC-9', 'EV-OTHER-8']) t.that(one, exchange, event !== undefined, says)
      heard.push(...events)
      const isWhole = () => heard.flatMap(({ message_ids: list }) => listOf(list)).length >= sent.length
      if (event !== undefined && !isWhole()) {
        heard.push(...(await queue.until((one) => heard.push(one) > 0 && isWhole())).events)
      }
      const told = [...new Set(heard)].filter(({ type }) => type === 'delete_message')
      const lists = told.map((one) => listOf(one.message_ids).map(Number))
      const isPlaced = told.every(
        (one) => one.message_type === 'stream' && one.stream_id === channel.id && one.topic === topic,
      )
      t.that('EV-OTHER-11', exchange, isPlaced, `the channel ${channel.id} and the topic "${topic}" in each event`)
      const all = lists.flat()
      const isEach = all.length === sent.length && sent.every((id) => all.includes(id))
      t.that('EV-OTHER-11', exchange, isEach, `events with \`message_ids\`, each of ${sent.length} messages once`)
      const isAscending = lists.every((list) => list.every((id, at) => at === 0 || id > (list[at - 1] ?? 0)))
      t.that('EV-OTHER-11', exchange, isAscending, '`message_ids` ascending', 'ascending order')
      const newestFirst = lists.every((list, at) => at === 0 || Math.max(...list) < Math.min(...(lists[at - 1] ?? [])))
      t.that('DEL-TOPIC-7', exchange, newestFirst, 'later messages in earlier events')
      const most = Math.max(...lists.map(({ length }) => length))
      t.that('LIMIT-22', exchange, most <= batch, `no more than ${batch} messages in an event; there are ${most}`)
      const single = await plain.until({ type: 'delete_message', message_id: sent[0] })
      const isFound = single.event !== undefined
      t.that('EV-OTHER-11', single.exchange, isFound, `an event of message ${sent[0]} alone; but ${single.lacked}`)
    },
  },
  {
    ...base,
    id: 'topic-deletion/time',
    title: 'a deletion that runs out of time leaves the rest, and asking again goes on with it',
    requirements: ids('DEL-TOPIC', [5, 6]),
    operations,
    movesClock: true,
    async run(t) {
      const { standIn } = t
      const { administrator, member, channel } = await ground(t)
      const topic = t.unique('slow')
      const sent = await manyIn(member, channel, topic, 2 * batch)
      const oldest = sent[0] ?? 0
      const left = async (): Promise<Exchange> => member.call('get-message', { message_id: oldest })
      await standIn.slow('delete-topic', slowness)
      const first = await remove(administrator, channel, topic)
      t.that('DEL-TOPIC-5', first, first.body.complete === false, '`complete` is false: the time was over')
      const gone = await member.call('get-message', { message_id: sent.at(-1) })
      t.that('DEL-TOPIC-5', gone, isRefused(gone), 'that the newest message is gone')
      const still = await left()
      t.that('DEL-TOPIC-5', still, !isRefused(still), `message ${oldest}, the oldest of the topic`)
      let last = first
      for (let asked = 0; last.body.complete === false && asked < mostAsked; asked += 1) {
        last = await remove(administrator, channel, topic)
      }
      const isDone = last !== first && last.body.complete === true
      t.that('DEL-TOPIC-6', last, isDone, '`complete` is true when it was asked for again')
      const over = await left()
      t.that('DEL-TOPIC-6', over, isRefused(over), `no message ${oldest}`)
    },
  },
]

/** A channel created by a member, to which an administrator is subscribed. */
async function ground(t: CheckContext): Promise<{ administrator: Account; member: Account; channel: Channel }> {
  const administrator = t.person('administrator')
  const member = await t.user()
  return { administrator, member, channel: await t.channel(member, [administrator]) }
}

/** Messages, more than `count`, in ascending order. */
async function manyIn(author: Account, channel: Channel, topic: string, count: number): Promise<number[]> {
  const sent: number[] = []
  while (sent.length <= count) {
    const posts = Array.from({ length: together }, () => post(author, channel, topic, 'Delete me.'))
    sent.push(...(await Promise.all(posts)))
  }
  return sent.toSorted((a, b) => a - b)
}

function remove(administrator: Account, { id }: Channel, topic: string): Promise<Exchange> {
  return administrator.must('delete-topic', { stream_id: id, topic_name: topic })
}

async function topicsOf(reader: Account, { id }: Channel): Promise<{ exchange: Exchange; names: readonly unknown[] }> {
  const exchange = await reader.must(
    'get-stream-topics',
    reader.known('get-stream-topics', { stream_id: id, allow_empty_topic_name: true }),
  )
  return { exchange, names: exchange.body.topics.map(({ name }: Json) => name) }
}

async function emptyTopic(t: CheckContext, administrator: Account, member: Account, channel: Channel): Promise<void> {
  const organization = await organizationOf(member)
  if (!hasEmptyTopic(t, organization)) return
  const message_id = await post(member, channel, '', 'Nameless.')
  const name = String(organization.body.realm_empty_topic_display_name)
  const deleted = await administrator.call('delete-topic', { stream_id: channel.id, topic_name: name })
  t.that('EMPTY-4', deleted, deleted.status === 200, `success for "${name}"`)
  const gone = await member.call('get-message', { message_id })
  const says = `message ${message_id} of the empty topic is not there any more`
  t.that('EMPTY-4', gone, gone.body?.result === 'error', says)
}
