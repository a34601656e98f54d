import type { Account } from '../deployment/account.ts'
import { type Check, ids } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { fetched, needEditing, post } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import { by, succeeds } from './outcomes.ts'

const operations = ['subscribe', 'send-message', 'get-message'] as const

export const checks: readonly Check[] = [
  {
    id: 'mentions/flags',
    title: 'the old flag for mentions of everybody follows the new ones',
    area: 'Message',
    profile: 'core',
    requirements: ['MSG-FIELD-29'],
    operations,
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
    title: 'only some may edit in a mention of many',
    area: 'PATCH /messages/{message_id}',
    profile: 'core',
    requirements: [...ids('MSG-EDIT', [48, 49, 50]), 'LIMIT-21'],
    operations: [...operations, 'register-queue', 'update-message'],
    async run(t) {
      const { user } = await t.scene()
      const permitted = t.person('administrator')
      await needRights(t, { user, permitted })
      const crowd = await t.crowd()
      const [last, ...others] = crowd.toReversed()
      if (last === undefined) return
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
      for (const [kind, code] of [
        ['all', 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'],
        ['topic', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
      ] as const) {
        const content = `@**${kind}** wake up.`
        const sent = await user.call('send-message', { type: 'stream', to: channel.id, topic, content })
        t.that('LIMIT-21', sent, sent.body?.code === code, `${code}: 16 people subscribe and take part`)
      }
      await permitted.must('subscribe', { subscriptions: [{ name: channel.name }] })
      const own = await post(permitted, channel, topic, 'Attention.')
      for (const content of ['@**all** wake up.', '@**topic** wake up.']) {
        succeeds(by(t, 'MSG-EDIT-50'), await edited(permitted, own, content), 'the editor may mention many')
      }
    },
  },
]

function edited(editor: Account, id: number, content: string): Promise<Exchange> {
  return editor.call('update-message', { message_id: id, content })
}

/** Leaves the check out unless only one of the two may use wildcard mentions, and messages can be edited. */
async function needRights(t: CheckContext, people: { user: Account; permitted: Account }): Promise<void> {
  if (t.level < 352) t.leaveOut('needs `can_mention_many_users_group`, which exists from level 352 on')
  const organization = await people.user.must('register-queue', { event_types: ['realm', 'realm_user_groups'] })
  needEditing(t, organization)
  const { realm_user_groups: groups, realm_can_mention_many_users_group: value } = organization.body
  if (isMember(groups, value, people.user.userId) || !isMember(groups, value, people.permitted.userId)) {
    t.leaveOut('needs an organization in which administrators may mention many people and members may not')
  }
}

interface Group {
  readonly id: number
  readonly members: readonly number[]
  readonly direct_subgroup_ids: readonly number[]
}
interface AnonymousGroup {
  readonly direct_members: readonly number[]
  readonly direct_subgroups: readonly number[]
}

/** Whether somebody is in the group that a group setting names, directly or through subgroups. */
function isMember(groups: readonly Group[], value: number | AnonymousGroup, userId: number): boolean {
  const named = typeof value === 'number' ? groups.find(({ id }) => id === value) : undefined
  const members = typeof value === 'number' ? (named?.members ?? []) : value.direct_members
  const subgroups = typeof value === 'number' ? (named?.direct_subgroup_ids ?? []) : value.direct_subgroups
  return members.includes(userId) || subgroups.some((id) => isMember(groups, id, userId))
}
