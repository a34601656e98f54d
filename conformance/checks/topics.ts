import { type Account, personRoles } from '../deployment/account.ts'
import type { Event } from '../deployment/event-queue.ts'
import type { Channel } from '../deployment/leaving.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { heardOf, listen } from '../kernel/listening.ts'
import { emptyTopicName, hasEmptyTopic, organizationOf, post } from '../kernel/messaging.ts'
import { belowAdministrator, newPerson } from '../kernel/people-of-roles.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { isObject, isRefused, type Json, listOf } from '../wire/values.ts'
import { quiet } from './moves.ts'
import { by, refuses, refusesWith, succeeds } from './outcomes.ts'

const deletionBase = { area: 'POST /streams/{stream_id}/delete_topic' } as const
/** Number of messages that are deleted together (LIMIT-22). */
const batch = 100
/** Number of messages that are sent simultaneously. */
const together = 10
/** Maximum number of requests for a remainder that should be deleted at once. */
const mostAsked = 5
/** Factor for the clock of a test server: the time for all batches is over before the first is deleted. */
const slowness = 1_000_000

export const checks: readonly WrittenCheck[] = [
  {
    id: 'topics/list',
    title: 'the topics of a channel are listed with the IDs of their latest messages',
    requirements: ['TOPICS-1', 'TOPICS-4', 'TOPICS-11', 'TOPIC-ENTRY-1', 'TOPIC-ENTRY-2'],
    async run(t) {
      const { user: creator, other: reader } = await t.scene()
      const channel = await t.channel(creator, [reader])
      const other = await t.channel(creator)
      const idOf = (topic: string): Promise<number> => post(creator, channel, topic, 'Said here.')
      // The order of the latest messages differs from the alphabet and from the order of the first messages.
      await idOf('lunch')
      const breakfast = await idOf('breakfast')
      await idOf('apples')
      const lunch = await idOf('lunch')
      await post(creator, other, 'elsewhere', 'Said here.')
      const there = await reader.must('get-stream-topics', { stream_id: other.id })
      const isListed = listOf(there.body.topics).some((one: Json) => one.name === 'elsewhere')
      t.that('TOPICS-1', there, isListed, '"elsewhere", also for somebody who does not follow this public channel')
      const exchange = await reader.call('get-stream-topics', { stream_id: channel.id })
      const is = (id: string, holds: boolean, expected: string): boolean => t.that(id, exchange, holds, expected)
      if (!is('TOPICS-1', exchange.status === 200, 'the topics of the channel that the path names')) return
      const topics = exchange.body.topics
      if (!is('TOPICS-4', Array.isArray(topics) && topics.every(isObject), '`topics` is an array of objects')) return
      // The server may have announced the new channel in a topic of its own.
      const ours = topics.filter(({ name }: Json) => ['breakfast', 'lunch'].includes(name))
      const names = topics.map(({ name }: Json) => name)
      is('TOPICS-1', !names.includes('elsewhere'), 'no topic of another channel')
      const areNamed = ours.length === 2 && names.every((name: unknown) => typeof name === 'string')
      if (!is('TOPIC-ENTRY-1', areNamed, '`name` of each; "breakfast" and "lunch" once each')) return
      for (const [name, id] of [
        ['breakfast', breakfast],
        ['lunch', lunch],
      ] as const) {
        const has = ours.find((one: Json) => one.name === name)?.max_id
        is('TOPIC-ENTRY-2', has === id, `\`max_id\` of "${name}" is ${id}`)
      }
      const ids: number[] = topics.map((one: Json) => one.max_id)
      const isFalling = ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? 0))
      is('TOPICS-11', isFalling, 'the greatest `max_id` first')
      // These messages are older than those of their new topic.
      const moved = { topic: 'lunch', propagate_mode: 'change_all', ...quiet }
      const move = await creator.call('update-message', { message_id: breakfast, ...moved })
      if (isRefused(move)) return
      const after = await reader.must('get-stream-topics', { stream_id: channel.id })
      const left = after.body.topics.filter(({ name }: Json) => ['breakfast', 'lunch'].includes(name))
      const isOne = left.length === 1 && left[0].name === 'lunch' && left[0].max_id === lunch
      t.that('TOPIC-ENTRY-2', after, isOne, `"lunch" alone, and \`max_id\` is still ${lunch}`)
    },
  },
  {
    id: 'topics/empty',
    title: 'the empty topic is listed under its display name unless the client knows it',
    requirements: ['TOPICS-2', 'TOPICS-3'],
    async run(t) {
      const { user: creator, other: reader } = await t.scene()
      const name = String(emptyTopicName(t, await organizationOf(creator)))
      for (const sharesHistory of [undefined, true, false]) {
        const more = { history_public_to_subscribers: sharesHistory }
        const channel = await t.channel(creator, [reader], sharesHistory !== undefined, more)
        const id = await post(creator, channel, '', 'Said here.')
        for (const [requirement, values, expected] of [
          ['TOPICS-2', {}, name],
          ['TOPICS-2', { allow_empty_topic_name: false }, name],
          ['TOPICS-3', { allow_empty_topic_name: true }, ''],
        ] as const) {
          const exchange = await reader.must('get-stream-topics', { stream_id: channel.id, ...values })
          const entry = exchange.body.topics.find((one: Json) => one.max_id === id)
          t.that(requirement, exchange, entry?.name === expected, `\`name\` of the empty topic is "${expected}"`)
        }
      }
    },
  },
  {
    id: 'topics/refused',
    title: 'the topics of a channel that the caller may not see are not listed',
    requirements: ['TOPICS-8', 'TOPICS-9', 'TOPICS-12'],
    async run(t) {
      const { user: creator, other: reader } = await t.scene()
      const channel = await t.channel(creator, [], true)
      await post(creator, channel, 'secret', 'Said here.')
      // Administrators manage the channel but cannot read it.
      const admin = t.deployment.atLeast('administrator') ?? reader
      for (const [id, streamId, who] of [
        ['TOPICS-8', idOfNothing, reader],
        ['TOPICS-8', 0, reader],
        ['TOPICS-9', channel.id, reader],
        ['TOPICS-9', channel.id, admin],
      ] as const) {
        const exchange = await who.call('get-stream-topics', { stream_id: streamId })
        t.that(id, exchange, exchange.body?.code === 'BAD_REQUEST', 'BAD_REQUEST')
        t.refusedWith('TOPICS-12', exchange, 'Invalid channel ID')
      }
    },
  },
  {
    id: 'topics/protected',
    title: 'a late subscriber of a protected history sees later topics only, and so does a bot',
    requirements: ['TOPICS-1', 'TOPICS-5', 'TOPICS-6', 'TOPICS-7'],
    async run(t) {
      const { user: creator, other: reader } = await t.scene()
      const others: Account[] = []
      for (const role of personRoles.filter((one) => one !== 'member')) {
        const person = await newPerson(t, role)
        if (person === undefined) t.remarks.add(`nobody new can be given the role ${role}`)
        else others.push(person)
      }
      await lateComers(t, creator, [reader, ...others], ['TOPICS-5', 'TOPICS-6'])
      const bot = t.deployment.given.find(({ isBot }) => isBot)
      if (bot === undefined) return void t.remarks.add('TOPICS-7: needs the credentials of a bot')
      const { body } = await bot.must('get-user', { user_id_or_email: String(bot.userId) })
      const owner = t.deployment.given.find(({ userId }) => userId === body.user.bot_owner_id)
      await lateComers(t, owner ?? creator, [bot], ['TOPICS-7'])
    },
  },
  {
    id: 'topics/archived',
    title: 'an administrator can archive any channel, and its topics stay listed',
    requirements: ['TOPICS-10', 'SUB-FIELD-45'],
    async run(t) {
      const { user: creator, other: reader } = await t.scene()
      const admin = t.person('administrator')
      for (const sharesHistory of [undefined, true, false]) {
        const isPrivate = sharesHistory !== undefined
        const channel = await t.channel(creator, [], isPrivate, { history_public_to_subscribers: sharesHistory })
        await post(creator, channel, 'before', 'Said here.')
        await creator.must('subscribe', { subscriptions: [{ name: channel.name }], principals: [reader.userId] })
        const id = await post(creator, channel, 'remembered', 'Said here.')
        const archived = await admin.call('archive-stream', { stream_id: channel.id })
        const expected = `the channel is archived by user ${admin.userId}, who is an administrator`
        if (!t.that('SUB-FIELD-45', archived, archived.status === 200, expected)) return
        // Everybody may read a public channel.
        for (const who of isPrivate ? [reader] : [reader, await t.user()]) {
          const exchange = await who.call('get-stream-topics', { stream_id: channel.id })
          const maxOf = (topic: string) => listOf(exchange.body?.topics).find(({ name }) => name === topic)?.max_id
          t.that('TOPICS-10', exchange, maxOf('remembered') === id, '"remembered", the topic of the archived channel')
          const isRight = (maxOf('before') !== undefined) === (sharesHistory !== false)
          t.that('TOPICS-10', exchange, isRight, `${sharesHistory === false ? 'no ' : ''}"before"`)
        }
      }
    },
  },
  {
    ...deletionBase,
    id: 'topic-deletion/small',
    title: 'an administrator can delete a topic with its messages, and no other topic changes',
    requirements: [...ids('DEL-TOPIC', [1, 2, 3, 8, 10, 11, 12]), 'STATE-DEL-4', 'LEVEL-211', 'EMPTY-4'],
    async run(t) {
      const { administrator, member, channel } = await ground(t)
      const [topic, other] = [t.unique('deleted'), t.unique('kept')]
      const sent = [await post(member, channel, topic, 'One.'), await post(member, channel, topic, 'Two.')]
      const kept = await post(member, channel, other, 'Three.')
      const values = { stream_id: channel.id, topic_name: topic }
      for (const person of await belowAdministrator(t)) {
        const refused = await person.call('delete-topic', values)
        refusesWith(by(t, 'DEL-TOPIC-8'), 'UNAUTHORIZED_PRINCIPAL', refused, `the caller is a ${person.role}`)
      }
      const before = await topicNamesOf(member, channel)
      t.that('DEL-TOPIC-8', before.exchange, before.names.includes(topic), `"${topic}" is still there`)
      const nameless = await administrator.call('delete-topic', { stream_id: channel.id })
      t.that('DEL-TOPIC-2', nameless, isRefused(nameless), 'a refusal')
      const nowhere = await administrator.call('delete-topic', { ...values, stream_id: idOfNothing })
      t.that('DEL-TOPIC-11', nowhere, nowhere.body?.code === 'BAD_REQUEST', '`code` is "BAD_REQUEST"')
      t.refusedWith('DEL-TOPIC-11', nowhere, 'Invalid channel ID')

      const deleted = await administrator.call('delete-topic', values)
      if (!t.that('DEL-TOPIC-1', deleted, deleted.status === 200, `success for channel ${channel.id}`)) return
      const { complete, result } = deleted.body
      t.that('DEL-TOPIC-3', deleted, typeof complete === 'boolean', '`complete` is true or false')
      t.that('LEVEL-211', deleted, result === 'success' && complete !== undefined, 'success, with `complete`')
      t.that('STATE-DEL-4', deleted, complete === true, '`complete` is true for two messages')
      for (const id of sent)
        refuses(by(t, 'STATE-DEL-4'), await member.call('get-message', { message_id: id }), `message ${id} is deleted`)
      const after = await topicNamesOf(member, channel)
      t.that('STATE-DEL-4', after.exchange, !after.names.includes(topic), `no topic "${topic}"`)
      t.that('DEL-TOPIC-10', after.exchange, after.names.includes(other), `the topic "${other}"`)
      succeeds(by(t, 'DEL-TOPIC-10'), await member.call('get-message', { message_id: kept }), `message ${kept} stays`)
      const again = await administrator.call('delete-topic', values)
      const isDone = again.status === 200 && again.body.complete !== false
      t.that('DEL-TOPIC-12', again, isDone, 'success, and `complete` is true')
      await emptyTopic(t, administrator, member, channel)
    },
  },
  {
    ...deletionBase,
    id: 'topic-deletion/batches',
    title: 'a long topic is deleted in batches, from the newest message on, with an event for each batch',
    requirements: ['DEL-TOPIC-7', 'DEL-TOPIC-9', 'EV-OTHER-8', 'EV-OTHER-11', 'LIMIT-22', 'MSG-FIELD-2'],
    isCostly: true,
    async run(t) {
      const { administrator, member, channel } = await ground(t, true)
      const reader = await t.user()
      await member.must('subscribe', { subscriptions: [{ name: channel.name }], principals: [reader.userId] })
      // Removes the server's own messages, which would be the oldest ones.
      for (const name of (await topicNamesOf(member, channel)).names) await remove(administrator, channel, String(name))
      const topic = t.unique('long')
      const sent = await manyIn(member, channel, topic, batch)
      const kept = await post(member, channel, t.unique('kept'), 'Keep me.')
      const narrow = [{ operator: 'topic', operand: topic }]
      const page = { anchor: 'newest', num_before: 2 * batch, num_after: 0, narrow }
      const listed = await member.must('get-messages', page)
      const isSorted = listed.body.messages.map((one: Json) => one.id).join() === sent.join()
      t.that('MSG-FIELD-2', listed, isSorted, `the ${sent.length} messages of the topic, ascending`)
      const capabilities = { notification_settings_null: false, bulk_message_deletion: true }
      const queue = await listen(reader, ['delete_message', 'stream', 'message'], { client_capabilities: capabilities })
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
      const single = { type: 'delete_message', message_id: sent[0] }
      await heardOf(by(t, 'EV-OTHER-11'), plain, single, `an event of message ${sent[0]} alone`)
    },
  },
  {
    ...deletionBase,
    id: 'topic-deletion/time',
    title: 'a deletion that runs out of time keeps the rest, and continues when requested again',
    requirements: ids('DEL-TOPIC', [5, 6]),
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
      refuses(by(t, 'DEL-TOPIC-5'), await member.call('get-message', { message_id: sent.at(-1) }), 'the newest went')
      succeeds(by(t, 'DEL-TOPIC-5'), await left(), `message ${oldest}, the oldest of the topic, is there`)
      let last = first
      for (let asked = 0; last.body.complete === false && asked < mostAsked; asked += 1)
        last = await remove(administrator, channel, topic)
      const isDone = last !== first && last.body.complete === true
      t.that('DEL-TOPIC-6', last, isDone, '`complete` is true when the deletion is requested again')
      refuses(by(t, 'DEL-TOPIC-6'), await left(), `message ${oldest} is deleted`)
    },
  },
]

/** Checks the topic lists of people who subscribed between messages, against these requirements. */
async function lateComers(t: CheckContext, creator: Account, people: readonly Account[], ids: readonly string[]) {
  const channel = await t.channel(creator, [], true, { history_public_to_subscribers: false })
  const shared = await t.channel(creator, [], true, { history_public_to_subscribers: true })
  const join = (those: readonly Account[]) =>
    creator.must('subscribe', {
      subscriptions: [{ name: channel.name }, { name: shared.name }],
      principals: those.map(({ userId }) => userId),
    })
  // Every second person was subscribed before.
  const former = people.filter((_, index) => index % 2 === 1)
  if (former.length > 0) await join(former)
  for (const one of former) await one.must('unsubscribe', { subscriptions: [channel.name, shared.name] })
  for (const one of [channel, shared]) await post(creator, one, 'before', 'Said here.')
  await post(creator, channel, 'both', 'Said here.')
  await join(people)
  const both = await post(creator, channel, 'both', 'Said here.')
  await post(creator, channel, 'after', 'Said here.')
  for (const late of people) {
    const exchange = await late.must('get-stream-topics', { stream_id: channel.id })
    const topics = listOf(exchange.body?.topics)
    const names = topics.map(({ name }) => name)
    const max = topics.find(({ name }) => name === 'both')?.max_id
    for (const id of ids) {
      t.that(id, exchange, !names.includes('before'), 'no "before", whose messages all came earlier')
      t.that(id, exchange, names.includes('after') && max === both, `"after", and "both" with \`max_id\` ${both}`)
    }
    const whole = await late.must('get-stream-topics', { stream_id: shared.id })
    const isListed = listOf(whole.body?.topics).some(({ name }) => name === 'before')
    t.that('TOPICS-1', whole, isListed, '"before", which is older than the subscription: all share the history')
  }
}

/** A channel created by a member, to which an administrator is subscribed. */
async function ground(t: CheckContext, isPrivate = false) {
  const administrator = t.person('administrator')
  const member = await t.user()
  return { administrator, member, channel: await t.channel(member, [administrator], isPrivate) }
}

/** Sends more than `count` messages. @returns their ids in ascending order */
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

async function topicNamesOf(reader: Account, { id }: Channel) {
  const values = reader.known('get-stream-topics', { stream_id: id, allow_empty_topic_name: true })
  const exchange = await reader.must('get-stream-topics', values)
  return { exchange, names: listOf(exchange.body.topics).map(({ name }) => name) }
}

async function emptyTopic(t: CheckContext, administrator: Account, member: Account, channel: Channel): Promise<void> {
  const organization = await organizationOf(member)
  if (!hasEmptyTopic(t, organization)) return
  const message_id = await post(member, channel, '', 'Nameless.')
  const name = String(organization.body.realm_empty_topic_display_name)
  const deleted = await administrator.call('delete-topic', { stream_id: channel.id, topic_name: name })
  t.that('EMPTY-4', deleted, deleted.status === 200, `success for "${name}"`)
  const gone = await member.call('get-message', { message_id })
  t.that('EMPTY-4', gone, isRefused(gone), `message ${message_id} of the empty topic is gone`)
}
