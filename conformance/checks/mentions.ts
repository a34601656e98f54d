import { FAR_AWAY } from '../acts/scheduled-messages.ts'
import { newUserGroup } from '../acts/user-groups.ts'
import type { Account, Values } from '../deployment/account.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { effect, effectNamed } from '../kernel/effect.ts'
import { eventOf, listen } from '../kernel/listening.ts'
import { fetched, needEditing, post, postTo } from '../kernel/messaging.ts'
import { peopleOfRoles } from '../kernel/people-of-roles.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused, isSameList, type Json } from '../wire/values.ts'
import { by, succeeds } from './outcomes.ts'

/** Flags that depend on a message's content. */
const ofContent = [
  ...['mentioned', 'has_alert_word'],
  ...['wildcard_mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'],
]
const everybody = ['stream_wildcard_mentioned', 'wildcard_mentioned']

export const checks: readonly WrittenCheck[] = [
  {
    id: 'mentions/flags',
    title: 'the old flag for wildcard mentions equals the new ones',
    requirements: ['MSG-FIELD-29'],
    async run(t) {
      const { user: author, other: reader } = await t.scene()
      const channel = await t.channel(author, [reader])
      const topic = t.unique('mentions')
      await post(reader, channel, topic, 'I take part.')
      const cases: readonly (readonly [content: string, flags: readonly string[]])[] = [
        ['@**all** come here.', ['stream_wildcard_mentioned', 'wildcard_mentioned']],
        ['@**topic** come here.', ['topic_wildcard_mentioned', 'wildcard_mentioned']],
        [`@**${reader.fullName}** come here.`, []],
        ['All of you come here.', []],
      ]
      for (const [content, wanted] of cases) {
        const exchange = await fetched(reader, await post(author, channel, topic, content))
        const flags: readonly string[] = exchange.body.message.flags
        const found = flags.filter((flag) => flag.endsWith('wildcard_mentioned')).toSorted()
        const expected = wanted.length === 0 ? 'no wildcard among `flags`' : `\`flags\` has ${wanted.join(' and ')}`
        t.that('MSG-FIELD-29', exchange, found.join() === wanted.join(), `${expected}, because of "${content}"`)
      }
    },
  },
  {
    id: 'mentions/many',
    isCostly: true,
    title: 'only some people may edit a message so that it mentions many',
    requirements: [...ids('MSG-EDIT', [48, 49, 50]), 'LIMIT-21'],
    async run(t) {
      const { user } = await t.scene()
      const permitted = t.person('administrator')
      const mayMentionMany = await needRights(t, { user, permitted })
      const others: Account[] = []
      while (others.length < 14) others.push(await t.newUser())
      const last = await t.newUser()
      const channel = await t.channel(user, others)
      const topic = t.unique('mentions')
      const id = await post(user, channel, topic, 'Hush.')
      succeeds(by(t, 'LIMIT-21'), await edited(user, id, '@**all** wake up.'), 'the channel has 15 subscribers')
      await last.must('subscribe', { subscriptions: [{ name: channel.name }] })
      const manySubscribers = await edited(user, id, '@**all** get up.')
      const isOfChannel = manySubscribers.body?.code === 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
      const because = 'STREAM_WILDCARD_MENTION_NOT_ALLOWED: the channel has 16 subscribers'
      for (const requirement of ['MSG-EDIT-48', 'LIMIT-21']) t.that(requirement, manySubscribers, isOfChannel, because)
      for (const person of others) await post(person, channel, topic, 'I take part.')
      succeeds(by(t, 'LIMIT-21'), await edited(user, id, '@**topic** wake up.'), '15 people take part in the topic')
      await post(last, channel, topic, 'So do I.')
      const manyParticipants = await edited(user, id, '@**topic** get up.')
      const isOfTopic = manyParticipants.body?.code === 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'
      const why = 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 16 people take part in the topic'
      for (const requirement of ['MSG-EDIT-49', 'LIMIT-21']) t.that(requirement, manyParticipants, isOfTopic, why)
      const moderator = (await peopleOfRoles(t)).get('moderator') ?? user
      const barred = [...new Set([user, moderator])].filter((who) => !mayMentionMany(who))
      for (const [kind, code] of [
        ['all', 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'],
        ['topic', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
      ] as const) {
        const content = `@**${kind}** wake up.`
        for (const who of barred) {
          const sent = await who.call('send-message', { type: 'stream', to: channel.id, topic, content })
          t.that('LIMIT-21', sent, sent.body?.code === code, `${code}: 16 people subscribe and take part`)
          // Others may refuse it at its time.
          if (t.isParley) await isRefusedLater(t, who, { type: 'stream', to: channel.id, topic, content }, code)
        }
      }
      await permitted.must('subscribe', { subscriptions: [{ name: channel.name }] })
      const own = await post(permitted, channel, topic, 'Attention.')
      for (const content of ['@**all** wake up.', '@**topic** wake up.']) {
        succeeds(by(t, 'MSG-EDIT-50'), await edited(permitted, own, content), 'the editor may mention many')
      }
      const closing = await permitted.call('update-stream', { stream_id: channel.id, is_private: true })
      if (isRefused(closing))
        return void t.remarks.add('LIMIT-21: not checked in a private channel: the channel could not be made private')
      const inPrivate = await edited(user, id, '@**all** stand up.')
      const isSo = inPrivate.body?.code === 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
      t.that('LIMIT-21', inPrivate, isSo, `${because}, private now`)
    },
  },
  effectNamed(
    'effects/send-message/mentions',
    'mentions are the same in events, in lists and in single messages, after sending and after editing',
    async (t, shows, { user, other, channel, topic }) => {
      const word = t.unique('Harbour').replaceAll(' ', '')
      await other.must('add-alert-words', { alert_words: [word] })
      await post(other, channel, topic, 'I take part.')
      const queue = await listen(other, ['message', 'update_message'])
      const cases: readonly (readonly [content: string, flags: readonly string[]])[] = [
        ...['all', 'everyone', 'stream', 'channel'].map((name) => [`@**${name}** come here.`, everybody] as const),
        ['@**topic** come here.', ['topic_wildcard_mentioned', 'wildcard_mentioned']],
        ['@**topic** and @**all** come here.', ['topic_wildcard_mentioned', ...everybody]],
        [`@**${other.fullName}|${other.userId}** come here.`, ['mentioned']],
        [`@**all** and @**${other.fullName}|${other.userId}** come here.`, ['mentioned', ...everybody]],
        [`@_**${other.fullName}|${other.userId}** was here.`, []],
        ['`@**all**` calls everybody.', []],
        [`The ${word} is near.`, ['has_alert_word']],
        [`The ${word.toUpperCase()} is near, @**all**.`, ['has_alert_word', ...everybody]],
        // Other servers may look for alert words in code.
        ...(t.isParley ? [[`Here is \`${word}\`.`, []] as const] : []),
        ['Nobody is meant.', []],
      ]
      const areFlagged = async (ids: readonly number[], texts: typeof cases, isEdit = false): Promise<void> => {
        const list = await listedFrom(other, ids[0] ?? 0)
        for (const [index, [content, flags]] of texts.entries()) {
          const id = ids[index] ?? 0
          const event = isEdit ? { type: 'update_message', message_id: id } : { type: 'message', message: { id } }
          const told = await eventOf(shows, queue, event)
          if (told === undefined) return
          const alone = await fetched(other, id)
          for (const [exchange, has] of [
            [told.exchange, told.event.flags],
            [alone, alone.body.message.flags],
            [list, list.body.messages.find((one: Json) => one.id === id)?.flags],
          ] as const) {
            const found = ofContent.filter((flag) => has?.includes(flag))
            const says = flags.length === 0 ? `none of ${ofContent.join(', ')}` : flags.join(' and ')
            shows(exchange, isSameList(found, flags), `${says} in \`flags\` of message ${id}, "${content}"`)
          }
        }
      }
      const ids: number[] = []
      for (const [content] of cases) ids.push(await post(user, channel, topic, content))
      await areFlagged(ids, cases)
      // Each message gets the content of another one.
      const others = [...cases.slice(2), ...cases.slice(0, 2)]
      for (const [index, [content]] of others.entries()) {
        const edit = await edited(user, ids[index] ?? 0, content)
        if (isRefused(edit)) t.leaveOut(`messages cannot be edited here: ${edit.body?.msg}`)
      }
      await areFlagged(ids, others, true)
      await other.must('remove-alert-words', { alert_words: [word] })
    },
  ),
  effectNamed(
    'effects/send-message/group-mentions',
    'a mention of a group flags the message for its members, but is no mention of them by name',
    async (t, shows, { user, other, channel }) => {
      const topic = t.unique('mentions')
      const name = t.unique('mentioned').slice(-90)
      await newUserGroup(user, { name, description: '', members: [other.userId] })
      const person = `**${other.fullName}|${other.userId}**`
      const texts = [`@*${name}* come here.`, `@${person} come here.`, `@_*${name}* was here.`]
      const ids: number[] = []
      for (const text of texts) ids.push(await post(user, channel, topic, text))
      const list = await listedFrom(other, ids[0] ?? 0)
      for (const [index, id] of ids.entries()) {
        const flags = list.body.messages.find((one: Json) => one.id === id)?.flags
        const isIn = index < 2
        const says = `${isIn ? '' : 'no '}\`mentioned\` in \`flags\` of message ${id}, "${texts[index]}"`
        shows(list, flags?.includes('mentioned') === isIn, says)
      }
      if (t.level < 446) return
      const narrow = [
        { operator: 'channel', operand: channel.id },
        { operator: 'topic', operand: topic },
        { operator: 'mentions', operand: other.userId },
      ]
      const found = await other.must('get-messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow })
      const named = found.body.messages.map(({ id }: Json) => id)
      shows(found, named.join() === String(ids[1]), `message ${ids[1]} alone, which names user ${other.userId}`)
    },
  ),
  effect(
    ['mark-topic-as-read', 'mark-stream-as-read', 'mark-all-as-read'],
    'marking a narrow as read reads exactly its messages, for the caller only, and keeps other flags',
    async (t, shows, { user, other }) => {
      const [channel, elsewhere] = [await t.channel(user, [other], true), await t.channel(user, [other])]
      const topic = t.unique('like')
      const inside = await calling(user, other, (content) => post(user, channel, topic, content))
      // Muted messages are marked as read like all others.
      await other.must('update-user-topic', { stream_id: channel.id, topic, visibility_policy: 1 })
      const outside = [
        await post(user, channel, `${topic} and more`, 'In a longer topic.'),
        await post(user, channel, topic.slice(0, -1), 'In a shorter topic.'),
        await post(user, elsewhere, topic, 'In another channel.'),
        await postTo(user, [other], `@**${other.fullName}|${other.userId}** read me.`),
      ]
      const messages = [...inside, ...outside]
      const change = (op: string, flag: string): Promise<Exchange> =>
        other.must('update-message-flags', { messages, op, flag })
      for (const flag of ['starred', 'collapsed']) await change('add', flag)
      await user.must('update-message-flags', { messages, op: 'remove', flag: 'read' })
      const theirs = await flagsOf(user, messages)
      for (const [operation, values, read] of [
        ['mark-topic-as-read', { stream_id: channel.id, topic_name: topic }, inside],
        ['mark-stream-as-read', { stream_id: channel.id }, [...inside, ...outside.slice(0, 2)]],
        ['mark-all-as-read', {}, messages],
      ] as const) {
        await change('remove', 'read')
        const before = await flagsOf(other, messages)
        const marked = await other.must(operation, values as Values)
        shows(marked, marked.body.complete !== false, '`complete`, because there are few messages')
        const after = await flagsOf(other, messages)
        for (const id of messages) {
          const wanted = [...(before.of(id) ?? []), ...(read.some((one) => one === id) ? ['read'] : [])]
          const says = `\`flags\` of message ${id} are ${wanted.join(', ')}, after ${operation}`
          shows(after.exchange, isSameList(after.of(id) ?? [], wanted), says)
        }
        const now = await flagsOf(user, messages)
        const areKept = messages.every((id) => isSameList(now.of(id) ?? [], theirs.of(id) ?? []))
        shows(now.exchange, areKept, `the flags of user ${user.userId} as before, after ${operation}`)
      }
    },
  ),
]

/** Both refuse what could not be sent now: scheduling a message, and giving a scheduled one this text. */
async function isRefusedLater(t: CheckContext, who: Account, values: Values, code: string): Promise<void> {
  const later = { ...values, scheduled_delivery_timestamp: FAR_AWAY }
  const made = await who.must('create-scheduled-message', { ...later, content: 'Hush.' })
  const { scheduled_message_id } = made.body
  for (const exchange of [
    await who.call('create-scheduled-message', later),
    await who.call('update-scheduled-message', { scheduled_message_id, content: values.content }),
  ]) {
    t.that('LIMIT-21', exchange, exchange.body?.code === code, `${code}: it could not be sent now`)
  }
  await who.must('delete-scheduled-message', { scheduled_message_id })
}

function edited(editor: Account, id: number, content: string): Promise<Exchange> {
  return editor.call('update-message', { message_id: id, content })
}

/**
 * Leaves the check out unless messages can be edited, and `permitted` may use wildcard mentions and `user` may not.
 *
 * @returns whether an account may use them
 */
async function needRights(t: CheckContext, people: { user: Account; permitted: Account }) {
  if (t.level < 352) t.leaveOut('needs `can_mention_many_users_group`, which exists from level 352 on')
  const organization = await people.user.must('register-queue', { event_types: ['realm', 'realm_user_groups'] })
  needEditing(t, organization)
  const { realm_user_groups: groups, realm_can_mention_many_users_group: value } = organization.body
  const may = ({ userId }: Account): boolean => isMember(groups, value, userId)
  if (may(people.user) || !may(people.permitted)) {
    t.leaveOut('needs an organization in which administrators may mention many people and members may not')
  }
  return may
}

/** Whether the user is in the group that a group setting names, directly or through subgroups. */
function isMember(groups: readonly Json[], value: Json, userId: number): boolean {
  const named = typeof value === 'number' ? groups.find(({ id }) => id === value) : undefined
  const members = typeof value === 'number' ? (named?.members ?? []) : value.direct_members
  const subgroups = typeof value === 'number' ? (named?.direct_subgroup_ids ?? []) : value.direct_subgroups
  return members.includes(userId) || subgroups.some((id: number) => isMember(groups, id, userId))
}

/** Sends messages with every kind of mention of the reader. */
async function calling(author: Account, reader: Account, send: (content: string) => Promise<number>) {
  const { fullName, userId } = reader
  const ids: number[] = []
  for (const content of [
    'Nobody is meant.',
    `@**${fullName}|${userId}** is meant.`,
    `@_**${fullName}|${userId}** is named.`,
    '@**all** are meant.',
    '@**topic** is meant.',
    `From ${author.fullName}, with \`code\`.`,
  ]) {
    ids.push(await send(content))
  }
  return ids
}

function listedFrom(reader: Account, anchor: number): Promise<Exchange> {
  return reader.must('get-messages', { anchor, num_before: 0, num_after: 1000 })
}

async function flagsOf(reader: Account, ids: readonly number[]) {
  const exchange = await listedFrom(reader, Math.min(...ids))
  return {
    exchange,
    of: (id: number): string[] | undefined => exchange.body.messages.find((one: Json) => one.id === id)?.flags,
  }
}
