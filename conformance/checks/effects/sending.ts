import type { Account, Values } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { channelWithoutTopics, emptyTopicName, fetched, organizationOf, post } from '../../kernel/messaging.ts'
import { withOwnSetting } from '../../kernel/own-setting.ts'
import type { Exchange } from '../../wire/http.ts'
import { isSetOf, type Json } from '../../wire/values.ts'
import { succeeds } from '../outcomes.ts'
import { policiesOf } from './channels.ts'

/** A form of recipient, and where its message appears. */
interface Addressed {
  readonly values: Values
  /** All participants of the direct conversation; undefined for the channel. */
  readonly people?: readonly Account[]
}

export const checks: readonly Check[] = [
  effectNamed(
    'effects/send-message/addresses',
    'a message arrives where its address says, in every form of addresses',
    async (t, shows, { user, other, channel }) => {
      const third = await t.user()
      const topic = t.unique('addresses')
      const all = await addressesOf(t, { user, other, third }, { channel, topic })
      const sent: (Addressed & { id: number })[] = []
      for (const one of all) {
        const exchange = await user.call('send-message', { content: 'To whom?', ...one.values })
        const isSent = succeeds(shows, exchange, `${JSON.stringify(one.values)} is an address`)
        if (isSent) sent.push({ ...one, id: Number(exchange.body.id) })
      }
      if (sent.length === 0) return
      const exchange = await listedBy(user, { anchor: Math.min(...sent.map(({ id }) => id)) })
      const messages: readonly Json[] = exchange.body.messages
      for (const { id, values, people } of sent) {
        const message = messages.find((one) => one.id === id)
        const isThere =
          people === undefined
            ? message?.stream_id === channel.id && message.subject === topic
            : message?.type === 'private' && message.subject === '' && isSetOf(peopleOf(message), idsOf(people))
        const place = people === undefined ? `channel ${channel.id} > "${topic}"` : `users ${idsOf(people).join()}`
        shows(exchange, isThere, `message ${id} in ${place}, because it was sent to ${JSON.stringify(values)}`)
      }
    },
  ),
  effectNamed(
    'effects/send-message/read_by_sender',
    'a sender decides whether their message counts as read by them',
    async (_, shows, { user, other, channel, topic }) => {
      for (const place of [
        { type: 'stream', to: channel.id, topic },
        { type: 'direct', to: [other.userId] },
      ]) {
        for (const read_by_sender of [true, false]) {
          const sent = await user.must('send-message', { ...place, content: 'My own words.', read_by_sender })
          const own = await fetched(user, sent.body.id)
          const isRead = own.body.message.flags.includes('read')
          const says = `the flag \`read\` is ${read_by_sender ? '' : 'not '}there, as \`read_by_sender\` says`
          shows(own, isRead === read_by_sender, `${says}, for ${JSON.stringify(place)}`)
        }
      }
    },
  ),
  effectNamed(
    'effects/send-message/visibility',
    'the sender is told which visibility policy the message gave its topic',
    async (t, shows, { user, other, channel }) => {
      await withOwnSetting(user, 'automatically_follow_topics_policy', async (set) => {
        for (const [policy, isOthers, first] of [
          [topicsWithPart, true, followed],
          [topicsSentTo, true, followed],
          [topicsStarted, true, undefined],
          [topicsStarted, false, followed],
          [noTopics, false, undefined],
        ] as const) {
          await set(policy)
          const topic = t.unique('visibility')
          if (isOthers) await post(other, channel, topic, 'I begin.')
          for (const wanted of [first, undefined]) {
            const sent = await user.must('send-message', { type: 'stream', to: channel.id, topic, content: 'New.' })
            const told = sent.body.automatic_new_visibility_policy
            const says = wanted === undefined ? 'absent, because nothing changed' : `${wanted}: the topic is followed`
            shows(sent, told === wanted, `\`automatic_new_visibility_policy\` is ${says}`)
          }
          const { exchange, policies } = await policiesOf(user, channel)
          const isSo = (policies.get(topic.toLowerCase()) ?? 0) === (first ?? 0)
          shows(exchange, isSo, `"${topic}" has the policy ${first ?? 0}`)
        }
      })
    },
  ),
  effectNamed(
    'effects/add-reaction/visibility',
    'who reacts takes part in the topic, and sends nothing to it',
    async (t, shows, { user, other, channel }) => {
      await withOwnSetting(user, 'automatically_follow_topics_policy', async (set) => {
        for (const [policy, wanted] of [
          [topicsWithPart, followed],
          [topicsSentTo, 0],
        ] as const) {
          await set(policy)
          const topic = t.unique('reaction')
          const message_id = await post(other, channel, topic, 'What do you think of it?')
          await user.must('add-reaction', { message_id, emoji_name: 'octopus' })
          const { exchange, policies } = await policiesOf(user, channel)
          const isSo = (policies.get(topic.toLowerCase()) ?? 0) === wanted
          shows(exchange, isSo, `"${topic}" has the policy ${wanted}, because of the setting ${policy}`)
        }
      })
    },
  ),
  effectNamed(
    'effects/send-message/empty-topic',
    'the empty topic is one topic under all of its names',
    async (t, shows, { user, other }) => {
      const displayName = String(emptyTopicName(t, await organizationOf(user)))
      const channel = await channelWithoutTopics(t, user, [other])
      const names = ['', displayName, ...(t.level >= 370 ? ['(no topic)'] : [])]
      const ids: number[] = []
      for (const name of names) ids.push(await post(user, channel, name, `In "${name}".`))
      await post(user, channel, 'named', 'Elsewhere.')
      const first = ids[0] ?? 0
      const inChannel = { operator: 'channel', operand: channel.id }
      for (const [knows, subject] of [
        [undefined, displayName],
        [false, displayName],
        [true, ''],
      ] as const) {
        const because = `because \`allow_empty_topic_name\` is ${knows ?? 'left out'}`
        for (const operand of ['', displayName]) {
          const narrow = [inChannel, { operator: 'topic', operand }]
          const exchange = await listedBy(other, { anchor: first, narrow, allow_empty_topic_name: knows })
          const found: Json[] = exchange.body.messages
          const isFound = isSetOf(
            found.map(({ id }) => id),
            ids,
          )
          shows(exchange, isFound, `messages ${ids.join()}, all of the topic "${operand}"`)
          const isNamed = found.every((message) => message.subject === subject)
          shows(exchange, isNamed, `\`subject\` is "${subject}", ${because}`)
        }
      }
    },
  ),
]

/** Values of `automatically_follow_topics_policy`. */
const [topicsWithPart, topicsSentTo, topicsStarted, noTopics] = [1, 2, 3, 4]
/** A value of `visibility_policy`. */
const followed = 3

async function addressesOf(
  t: CheckContext,
  { user, other, third }: Readonly<Record<'user' | 'other' | 'third', Account>>,
  { channel, topic }: { channel: { id: number; name: string }; topic: string },
): Promise<Addressed[]> {
  const emails: string[] = []
  for (const person of [other, third]) emails.push((await person.must('get-own-user')).body.email)
  const [pair, group] = [
    [user, other],
    [user, other, third],
  ]
  return [
    ...[channel.id, channel.name, [channel.name]].map((to) => ({ values: { type: 'stream', to, topic } })),
    { values: { type: 'stream', to: channel.name, subject: topic } },
    { values: { type: 'channel', to: channel.id, topic } },
    ...[[other.userId], emails[0], emails.slice(0, 1)].map((to) => ({ values: { type: 'private', to }, people: pair })),
    // Only Parley documents a single id as the recipient.
    ...(t.isParley ? [{ values: { type: 'direct', to: other.userId }, people: pair }] : []),
    ...[[other.userId, third.userId], emails, emails.join(',')].map((to) => ({
      values: { type: 'direct', to },
      people: group,
    })),
    { values: { type: 'direct', to: [other.userId], topic }, people: pair },
  ]
}

function idsOf(people: readonly Account[]): number[] {
  return people.map(({ userId }) => userId)
}

function peopleOf(message: Json): number[] {
  return Array.isArray(message.display_recipient) ? message.display_recipient.map(({ id }: Json) => id) : []
}

function listedBy(reader: Account, values: Values): Promise<Exchange> {
  return reader.must('get-messages', { num_before: 0, num_after: 100, ...values })
}
