import type { Account } from '../deployment/account.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { emptyTopicName, organizationOf, post } from '../kernel/messaging.ts'
import { newPerson, personRoles } from '../kernel/people-of-roles.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { isObject, type Json } from '../wire/values.ts'

const base = { area: 'GET /users/me/{stream_id}/topics', profile: 'core' } as const
const operations = ['subscribe', 'send-message', 'get-stream-topics'] as const

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'topics/list',
    title: 'the topics of a channel are listed with their latest messages',
    requirements: ['TOPICS-1', 'TOPICS-4', 'TOPICS-11', 'TOPIC-ENTRY-1', 'TOPIC-ENTRY-2'],
    operations,
    async run(t) {
      const { creator, reader } = await people(t)
      const channel = await t.channel(creator, [reader])
      const other = await t.channel(creator, [reader])
      const idOf = (topic: string): Promise<number> => post(creator, channel, topic, 'Said here.')
      // Neither the alphabet nor the first messages have the order of the latest ones.
      await idOf('lunch')
      const breakfast = await idOf('breakfast')
      await idOf('apples')
      const lunch = await idOf('lunch')
      await post(creator, other, 'elsewhere', 'Said here.')
      const exchange = await reader.call('get-stream-topics', { stream_id: channel.id })
      const is = (id: string, holds: boolean, expected: string): boolean => t.that(id, exchange, holds, expected)
      if (!is('TOPICS-1', exchange.status === 200, 'the topics of the channel that the path names')) return
      const topics = exchange.body.topics
      if (!is('TOPICS-4', Array.isArray(topics) && topics.every(isObject), '`topics` is an array of objects')) return
      // A server may have announced the new channel in a topic of its own.
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
    },
  },
  {
    ...base,
    id: 'topics/empty',
    title: 'the empty topic is listed under its display name unless the client knows it',
    requirements: ['TOPICS-2', 'TOPICS-3'],
    operations: [...operations, 'register-queue'],
    async run(t) {
      const { creator, reader } = await people(t)
      const name = String(emptyTopicName(t, await organizationOf(creator)))
      const isProtected = { history_public_to_subscribers: false }
      for (const channel of [
        await t.channel(creator, [reader]),
        await t.channel(creator, [reader], true),
        await t.channel(creator, [reader], true, isProtected),
      ]) {
        const id = await post(creator, channel, '', 'Said here.')
        for (const [requirement, values, expected] of [
          ['TOPICS-2', {}, name],
          ['TOPICS-2', { allow_empty_topic_name: false }, name],
          ['TOPICS-3', { allow_empty_topic_name: true }, ''],
        ] as const) {
          const exchange = await reader.must('get-stream-topics', { stream_id: channel.id, ...values })
          const entry = exchange.body.topics.find((one: Json) => one.max_id === id)
          const says = `\`name\` of the empty topic is "${expected}"`
          t.that(requirement, exchange, entry?.name === expected, says)
        }
      }
    },
  },
  {
    ...base,
    id: 'topics/refused',
    title: 'the topics of a channel that one may not see are not listed',
    requirements: ['TOPICS-8', 'TOPICS-9', 'TOPICS-12'],
    operations,
    async run(t) {
      const { creator, reader } = await people(t)
      const channel = await t.channel(creator, [], true)
      await post(creator, channel, 'secret', 'Said here.')
      // Administrators manage the channel without reading it.
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
    ...base,
    id: 'topics/protected',
    title: 'whoever comes late to a protected history sees later topics only, bots like everybody else',
    requirements: ['TOPICS-5', 'TOPICS-6', 'TOPICS-7'],
    operations: [...operations, 'get-user'],
    async run(t) {
      const { creator, reader } = await people(t)
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
    ...base,
    id: 'topics/archived',
    title: 'an administrator may archive any channel, and its topics stay to be listed',
    requirements: ['TOPICS-10', 'SUB-FIELD-45'],
    operations: [...operations, 'archive-stream'],
    async run(t) {
      const { creator, reader } = await people(t)
      const admin = t.person('administrator')
      const channel = await t.channel(creator, [reader])
      const id = await post(creator, channel, 'remembered', 'Said here.')
      const archived = await admin.call('archive-stream', { stream_id: channel.id })
      const expected = `the channel is archived by user ${admin.userId}, who is an administrator`
      if (!t.that('SUB-FIELD-45', archived, archived.status === 200, expected)) return
      const exchange = await reader.call('get-stream-topics', { stream_id: channel.id })
      const entry = topicsOf(exchange).find(({ name }) => name === 'remembered')
      t.that('TOPICS-10', exchange, entry?.max_id === id, '"remembered", the topic of the archived channel')
    },
  },
]

/** Checks the lists of those who subscribed between two topics against these requirements. */
async function lateComers(
  t: CheckContext,
  creator: Account,
  people: readonly Account[],
  ids: readonly string[],
): Promise<void> {
  const channel = await t.channel(creator, [], true, { history_public_to_subscribers: false })
  await post(creator, channel, 'before', 'Said here.')
  await post(creator, channel, 'both', 'Said here.')
  await creator.must('subscribe', {
    subscriptions: [{ name: channel.name }],
    principals: people.map(({ userId }) => userId),
  })
  const both = await post(creator, channel, 'both', 'Said here.')
  await post(creator, channel, 'after', 'Said here.')
  for (const late of people) {
    const exchange = await late.must('get-stream-topics', { stream_id: channel.id })
    const topics = topicsOf(exchange)
    const names = topics.map(({ name }) => name)
    const max = topics.find(({ name }) => name === 'both')?.max_id
    for (const id of ids) {
      t.that(id, exchange, !names.includes('before'), 'no "before", whose messages all came earlier')
      t.that(id, exchange, names.includes('after') && max === both, `"after", and "both" with \`max_id\` ${both}`)
    }
  }
}

async function people(t: CheckContext): Promise<{ creator: Account; reader: Account }> {
  const { user: creator, other: reader } = await t.scene()
  return { creator, reader }
}

function topicsOf({ body }: Exchange): readonly Json[] {
  return Array.isArray(body?.topics) ? body.topics : []
}
