import { succeeded } from '../deployment/account.ts'
import { type Check, ids } from '../kernel/check.ts'
import { fetched, hasEmptyTopic, needEditing, organizationOf, post, postTo } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused, type Json, listOf } from '../wire/values.ts'
import { historyShown } from './edits.ts'

const quiet = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }

/** What a change may touch; the topic as who knows the empty topic reads it. */
interface State {
  readonly content: string
  readonly topic: string
  readonly channel: number
}

/** Changes that no edit can make, whoever may move messages, and changes one after another. */
export const checks: readonly Check[] = [
  {
    area: 'PATCH /messages/{message_id}',
    profile: 'core',
    id: 'edits/places',
    title: 'an edit that asks for an impossible place is refused, and changes nothing',
    requirements: ids('MSG-EDIT', [3, 15, 27, 28]),
    operations: ['subscribe', 'send-message', 'get-message', 'register-queue', 'update-message'],
    async run(t) {
      const { user: author, other, channel } = await t.scene()
      needEditing(t, await organizationOf(author))
      const elsewhere = await t.channel(author)
      const topic = t.unique('places')
      const inChannel = await post(author, channel, topic, 'Before.')
      const direct = await postTo(author, [other], 'Before.')
      const refuses = async (requirement: string, message_id: number, values: object, why: string): Promise<void> => {
        const edited: Exchange = await author.call('update-message', { message_id, ...values })
        t.that(requirement, edited, edited.body?.code === 'BAD_REQUEST', `BAD_REQUEST: ${why}`)
        const { body } = await fetched(author, message_id, { apply_markdown: false })
        const { content, stream_id, last_moved_timestamp } = body.message
        const isSame =
          content === 'Before.' &&
          stream_id === (message_id === inChannel ? channel.id : undefined) &&
          last_moved_timestamp === undefined
        t.that(requirement, edited, isSame, 'the message stays as it was')
      }
      await refuses('MSG-EDIT-3', direct, { topic: 'places' }, 'a direct message has no topic')
      await refuses('MSG-EDIT-3', direct, { topic: 'places', content: 'After.' }, 'a direct message has no topic')
      await refuses('MSG-EDIT-27', direct, { stream_id: channel.id }, 'a direct message is in no channel')
      for (const propagate_mode of ['change_later', 'change_all']) {
        await refuses('MSG-EDIT-15', inChannel, { content: 'After.', propagate_mode }, 'nothing is to be moved')
      }
      const both = { content: 'After.', stream_id: elsewhere.id }
      const renamed = { topic: t.unique('renamed') }
      for (const more of [{}, { topic }, renamed, { topic, propagate_mode: 'change_all' }, { stream_id: channel.id }]) {
        await refuses('MSG-EDIT-28', inChannel, { ...both, ...more }, 'content and channel cannot change together')
      }
    },
  },
  {
    area: 'Message',
    profile: 'core',
    id: 'edits/two-changes',
    isCostly: true,
    title: 'of any two changes of a message, its history tells the later one first, to whoever reads it',
    requirements: ['MSG-FIELD-34', ...ids('MSG-HIST', [4, 6, 7, 8, 9])],
    operations: ['subscribe', 'send-message', 'get-message', 'get-messages', 'register-queue', 'update-message'],
    async run(t) {
      const { user: author, other: reader, channel } = await t.scene()
      const organization = await organizationOf(author)
      needEditing(t, organization)
      const shown = historyShown(organization.body)
      if (shown !== 'all') t.leaveOut(`needs an organization that shows edits, and this one shows ${shown}`)
      const elsewhere = await t.channel(author, [reader])
      const hasEmpty = hasEmptyTopic(t, organization)
      const nameless: string = organization.body.realm_empty_topic_display_name
      const kinds: readonly ((state: State) => Partial<State>)[] = [
        ({ content }) => ({ content: `${content} More.` }),
        () => ({ topic: t.unique('renamed') }),
        ({ content }) => ({ content: `${content} Both.`, topic: t.unique('both') }),
        ({ channel: from }) => ({ channel: from === channel.id ? elsewhere.id : channel.id }),
        ...(hasEmpty ? [() => ({ topic: '' })] : []),
      ]
      for (const changes of kinds.flatMap((first) => kinds.map((second) => [first, second]))) {
        let state: State = { content: 'Before.', topic: t.unique('two'), channel: channel.id }
        const message_id = await post(author, channel, state.topic, state.content)
        const entries: Json[] = []
        for (const change of changes) {
          const wanted = change(state)
          const { content, channel: stream_id, topic } = wanted
          if (topic === '' && state.topic === '') continue
          const values = { content, stream_id, topic: topic === '' ? nameless : topic }
          const changed = await author.call('update-message', { message_id, ...quiet, ...values })
          if (stream_id !== undefined && isRefused(changed)) {
            t.remarks.add('members do not move messages between channels here')
            continue
          }
          succeeded('update-message', changed)
          entries.unshift(entryOf(state, { ...state, ...wanted }))
          state = { ...state, ...wanted }
        }
        const one = { anchor: message_id, num_before: 0, num_after: 0 }
        for (const [who, values, name] of [
          [author, hasEmpty ? { allow_empty_topic_name: true } : {}, ''],
          [reader, {}, nameless],
        ] as const) {
          const topicFor = (topic: unknown) => (topic === '' ? name : topic)
          const listed = await who.must('get-messages', { ...one, ...values })
          for (const exchange of [await fetched(who, message_id, values), listed]) {
            const message = exchange.body.message ?? listOf(exchange.body.messages)[0]
            const history = listOf(message?.edit_history)
            const [have, changed] = [history, entries].map((list) => list.map(fieldsOf).join('; '))
            const says = `\`edit_history\` with ${changed}, the latest change first`
            t.that('MSG-FIELD-34', exchange, have === changed, says)
            for (const [id, field] of fields) {
              const is = history.map((entry) => entry[field] ?? null)
              const has = entries.map((entry) => topicFor(entry[field]) ?? null)
              const says = `\`${field}\` of the entries is ${JSON.stringify(has)}, the latest first`
              t.that(id, exchange, JSON.stringify(is) === JSON.stringify(has), says)
            }
          }
        }
      }
    },
  },
]

const fields = [
  ['MSG-HIST-4', 'prev_content'],
  ['MSG-HIST-6', 'prev_stream'],
  ['MSG-HIST-7', 'stream'],
  ['MSG-HIST-8', 'prev_topic'],
  ['MSG-HIST-9', 'topic'],
] as const

function fieldsOf(entry: Json): string {
  return fields.flatMap(([, field]) => (field in entry ? [field] : [])).join(' and ')
}

function entryOf(from: State, to: State): Json {
  return {
    ...(from.content !== to.content && { prev_content: from.content }),
    ...(from.channel !== to.channel && { prev_stream: from.channel, stream: to.channel }),
    ...(from.topic !== to.topic && { prev_topic: from.topic, topic: to.topic }),
  }
}
